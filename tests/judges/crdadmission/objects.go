package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/version"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/yaml"
)

// strategies are those of one version of a CRD; status is nil without the subresource.
type strategies struct {
	create rest.RESTCreateStrategy
	update rest.RESTUpdateStrategy
	status rest.RESTUpdateStrategy
}

// kind is a CRD that was taken, as one of its versions serves it.
type kind struct {
	gvk     schema.GroupVersionKind
	crd     *apiextv1.CustomResourceDefinition
	schemas map[string]*structuralschema.Structural
	strategies
}

func objectVerdict(r request) (v verdict) {
	v.Errors = []string{}
	failed := func(format string, args ...any) verdict {
		return verdict{Errors: []string{}, Failed: fmt.Sprintf(format, args...)}
	}
	crd, _, err := decode(r.CRD)
	if err != nil {
		return failed("crd: %v", err)
	}
	var taken verdict
	if taken.admit(crd, nil); len(taken.Errors) > 0 || taken.Status != "" {
		return failed("crd refused:  %s %v", taken.Status, taken.Errors)
	}
	external := &apiextv1.CustomResourceDefinition{}
	if err := scheme.Convert(crd, external, nil); err != nil {
		return failed("crd: %v", err)
	}
	data := body(r.Obj, r.ObjJSON, r.ObjYAML)
	k, err := serve(external, data)
	if err != nil {
		return failed("%v", err)
	}
	var old *unstructured.Unstructured
	if r.Op == "update" {
		if old, _, err = k.read(body(r.Old, r.OldJSON, r.OldYAML), true); err != nil {
			return failed("old: %v", err)
		}
		k.remember(old)
	}
	obj, strict, err := k.read(data, false)
	if err != nil {
		v.Decode = err.Error()
		return v
	}
	v.Strict = strict
	v.judge(k, obj, old, r.Subresource)
	return v
}

func body(value json.RawMessage, jsonText, yamlText string) []byte {
	switch {
	case jsonText != "":
		return []byte(jsonText)
	case yamlText != "":
		data, err := yaml.YAMLToJSON([]byte(yamlText))
		if err != nil {
			panic(err)
		}
		return data
	}
	return value
}

// serve finds the version of the CRD that a body names; a body that cannot be read is one of the first version.
func serve(crd *apiextv1.CustomResourceDefinition, data []byte) (*kind, error) {
	var head struct{ APIVersion, Kind string }
	unread := json.Unmarshal(data, &head) != nil
	k := &kind{crd: crd, schemas: map[string]*structuralschema.Structural{}}
	for i := range crd.Spec.Versions {
		v := crd.Spec.Versions[i]
		internal := &apiextensions.JSONSchemaProps{}
		if err := apiextv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, internal, nil); err != nil {
			return nil, err
		}
		shared, err := structuralschema.NewStructural(internal)
		if err != nil {
			return nil, err
		}
		own := shared.DeepCopy()
		if err := defaulting.PruneDefaults(own); err != nil {
			return nil, err
		}
		k.schemas[v.Name] = own
		gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}
		if named := gvk.GroupVersion().String() == head.APIVersion && gvk.Kind == head.Kind; !v.Served || !named && !unread {
			continue
		}
		k.gvk = gvk
		if k.strategies, err = newStrategies(crd.Spec.Scope == apiextv1.NamespaceScoped, gvk, v, internal, own); err != nil {
			return nil, err
		}
	}
	if k.create == nil {
		return nil, fmt.Errorf("no version serves %s, %s", head.APIVersion, head.Kind)
	}
	return k, nil
}

// read decodes a body, from storage more leniently, and gives what fieldValidation=Strict minds.
func (k *kind) read(data []byte, stored bool) (*unstructured.Unstructured, []string, error) {
	serializer := jsonInfo().StrictSerializer
	if stored {
		serializer = jsonInfo().Serializer
	}
	obj, strict := &unstructured.Unstructured{}, []string{}
	_, named, err := serializer.Decode(data, &k.gvk, obj)
	if minded, ok := runtime.AsStrictDecodingError(err); ok {
		for _, e := range minded.Errors() {
			strict = append(strict, e.Error())
		}
		err = nil
	}
	var unknown []string
	if err == nil {
		if unknown, err = k.fit(obj, stored); err == nil {
			defaulting.Default(obj.Object, k.schemas[obj.GroupVersionKind().Version])
		}
	}
	if err != nil && named != nil && named.Kind != "" {
		return nil, nil, fmt.Errorf("%s in version %q cannot be handled as a %s: %w", named.Kind, named.Version, k.gvk.Kind, err)
	}
	if err != nil {
		return nil, nil, unrecognized(k.gvk.Kind, data, err)
	}
	for _, path := range unknown {
		strict = append(strict, fmt.Sprintf("unknown field %q", path))
	}
	sort.Strings(strict)
	return obj, strict, nil
}

// fit drops what the schema does not know, and unlawful nulls; the object's own type and metadata are none of its business.
func (k *kind) fit(obj *unstructured.Unstructured, stored bool) ([]string, error) {
	own := k.schemas[obj.GroupVersionKind().Version]
	meta, _, unknown, err := objectmeta.GetObjectMetaWithOptions(obj.Object, objectmeta.ObjectMetaOptions{DropMalformedFields: stored, ReturnUnknownFieldPaths: !stored})
	if err != nil {
		return nil, err
	}
	apiVersion, name := obj.GetAPIVersion(), obj.GetKind()
	track := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: !stored}
	unknown = append(unknown, pruning.PruneWithOptions(obj.Object, own, true, track)...)
	defaulting.PruneNonNullableNullsWithoutDefaults(obj.Object, own)
	refused, lost := objectmeta.CoerceWithOptions(nil, obj.Object, own, false, objectmeta.CoerceOptions{DropInvalidFields: stored, ReturnUnknownFieldPaths: !stored})
	if refused != nil {
		return nil, refused
	}
	obj.SetAPIVersion(apiVersion)
	obj.SetKind(name)
	if meta != nil {
		if stored && meta.Generation == 0 {
			meta.Generation = 1
		}
		err = objectmeta.SetObjectMeta(obj.Object, meta)
	}
	return append(unknown, lost...), err
}

// remember gives an old object what it had in storage, where it may wait for its deletion.
func (k *kind) remember(old *unstructured.Unstructured) {
	version, deleted, grace := old.GetResourceVersion(), old.GetDeletionTimestamp(), old.GetDeletionGracePeriodSeconds()
	fill(old)
	old.SetDeletionTimestamp(deleted)
	old.SetDeletionGracePeriodSeconds(grace)
	if old.SetResourceVersion(version); version == "" {
		old.SetResourceVersion("1")
	}
	old.SetManagedFields(nil)
	if old.GetNamespace() == "" && k.crd.Spec.Scope == apiextv1.NamespaceScoped {
		old.SetNamespace("default")
	}
}

func (v *verdict) judge(k *kind, obj, old *unstructured.Unstructured, subresource string) {
	namespace := ""
	if k.crd.Spec.Scope == apiextv1.NamespaceScoped {
		if namespace = obj.GetNamespace(); namespace == "" {
			namespace = "default"
		}
	}
	warned := &warnings{}
	ctx := warning.WithWarningRecorder(genericapirequest.WithNamespace(context.Background(), namespace), warned)
	k.warn(warned)
	obj.SetManagedFields(nil)
	if old == nil {
		fill(obj)
		create := &createSeen{RESTCreateStrategy: k.create}
		v.taken(rest.BeforeCreate(create, ctx, obj), func() field.ErrorList { return create.seen })
	} else {
		if obj.GetResourceVersion() == "" {
			obj.SetResourceVersion(old.GetResourceVersion())
		}
		update := &updateSeen{RESTUpdateStrategy: k.update}
		if subresource == "status" {
			update.RESTUpdateStrategy = k.status
		}
		v.taken(rest.BeforeUpdate(update, ctx, obj, old), func() field.ErrorList { return update.seen })
	}
	sort.Strings(warned.texts)
	v.Warnings = warned.texts
	v.conclude(k, obj)
}

func (k *kind) warn(warned *warnings) {
	own := k.gvk.Version
	best := own
	for _, v := range k.crd.Spec.Versions {
		if v.Served && !v.Deprecated && version.CompareKubeAwareVersionStrings(v.Name, best) > 0 {
			best = v.Name
		}
	}
	for _, v := range k.crd.Spec.Versions {
		if v.Name != own || !v.Deprecated {
			continue
		}
		text := fmt.Sprintf("%s/%s %s is deprecated", k.gvk.Group, own, k.gvk.Kind)
		if best != own {
			text += fmt.Sprintf("; use %s/%s %s", k.gvk.Group, best, k.gvk.Kind)
		}
		if v.DeprecationWarning != nil {
			text = *v.DeprecationWarning
		}
		warned.AddWarning("", text)
	}
}

// conclude sends an object that was taken through storage, and shows it as it comes back.
func (v *verdict) conclude(k *kind, obj *unstructured.Unstructured) {
	kept := obj
	storage := k.gvk.Version
	if k.crd.Spec.Conversion == nil || k.crd.Spec.Conversion.Strategy == apiextv1.NoneConverter {
		for _, each := range k.crd.Spec.Versions {
			if each.Storage {
				storage = each.Name
			}
		}
	}
	if len(v.Errors) == 0 && v.Status == "" {
		kept = obj.DeepCopy()
		kept.SetAPIVersion(k.gvk.Group + "/" + storage)
		back := kept
		_, err := k.fit(kept, false)
		if err == nil {
			back = kept.DeepCopy()
			_, err = k.fit(back, true)
		}
		if err == nil {
			defaulting.Default(back.Object, k.schemas[storage])
			back.SetAPIVersion(k.gvk.GroupVersion().String())
			_, err = k.fit(back, false)
		}
		if err != nil {
			v.Status = err.Error()
			return
		}
		obj = back
	}
	var b bytes.Buffer
	if err := unstructured.UnstructuredJSONScheme.Encode(kept, &b); err != nil {
		v.Failed = err.Error()
		return
	}
	v.Size = b.Len()
	if v.Object = unmade(obj.Object); kept != obj && storage != k.gvk.Version {
		v.Stored = unmade(kept.Object)
	}
}

// unmade takes out what was made up for clock and chance.
func unmade(obj map[string]any) map[string]any {
	meta, _ := obj["metadata"].(map[string]any)
	if meta["uid"] == string(fixedUID) {
		delete(meta, "uid")
		delete(meta, "creationTimestamp")
	}
	if meta["resourceVersion"] == "1" {
		delete(meta, "resourceVersion")
	}
	return obj
}
