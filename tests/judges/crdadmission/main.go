// Command crdadmission puts CustomResourceDefinitions and objects of them to Kubernetes' own
// admission: one JSON request a line in, one JSON answer a line out.
//
//	{"op": "crd", "crd": {...}}
//	{"op": "crd-update", "crd": {...}, "old_crd": {...}, "established": true}
//	{"op": "create", "crd": {...}, "obj": {...}}
//	{"op": "update", "crd": {...}, "obj": {...}, "old": {...}, "subresource": "status"}
//
// See README.md for the answers and how to build it for a version of Kubernetes.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
)

type request struct {
	Op          string          `json:"op"`
	CRD         json.RawMessage `json:"crd"`
	OldCRD      json.RawMessage `json:"old_crd,omitempty"`
	Established *bool           `json:"established,omitempty"`
	Obj         json.RawMessage `json:"obj,omitempty"`
	ObjJSON     string          `json:"obj_json,omitempty"`
	ObjYAML     string          `json:"obj_yaml,omitempty"`
	Old         json.RawMessage `json:"old,omitempty"`
	OldJSON     string          `json:"old_json,omitempty"`
	OldYAML     string          `json:"old_yaml,omitempty"`
	Subresource string          `json:"subresource,omitempty"`
}

type cause struct {
	Type   string          `json:"type"`
	Field  string          `json:"field"`
	Detail string          `json:"detail,omitempty"`
	Value  json.RawMessage `json:"value,omitempty"`
}

type verdict struct {
	Errors   []string       `json:"errors"`
	Causes   []cause        `json:"causes,omitempty"`
	Decode   string         `json:"decode,omitempty"`
	Status   string         `json:"status,omitempty"`
	Strict   []string       `json:"strict,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
	Size     int            `json:"size,omitempty"`
	Object   map[string]any `json:"object,omitempty"`
	Stored   map[string]any `json:"stored,omitempty"`
	Failed   string         `json:"failed,omitempty"`
}

// What the server takes from clock and chance.
const fixedUID = types.UID("00000000-0000-0000-0000-000000000001")

var (
	scheme = runtime.NewScheme()
	codecs = serializer.NewCodecFactory(scheme)
	crdGVK = apiextv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
	// The type of self is named after the clock.
	selfType = regexp.MustCompile(`\bselfType[0-9]+\b`)
)

func main() {
	install.Install(scheme)
	metav1.AddToGroupVersion(scheme, apiextv1.SchemeGroupVersion)
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for {
		line, err := reader.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := encoder.Encode(answer(line)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		if err != nil {
			return
		}
	}
}

func answer(line []byte) (v verdict) {
	v.Errors = []string{}
	defer func() {
		if r := recover(); r != nil {
			v = verdict{Errors: []string{}, Failed: fmt.Sprintf("panic: %v", r)}
		}
	}()
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		v.Failed = err.Error()
		return v
	}
	if r.Op == "create" || r.Op == "update" {
		return objectVerdict(r)
	}
	if r.Op != "crd" && r.Op != "crd-update" {
		v.Failed = "unknown operation " + r.Op
		return v
	}
	var old *apiextensions.CustomResourceDefinition
	if r.Op == "crd-update" {
		var err error
		if old, _, err = decode(r.OldCRD); err != nil {
			v.Failed = "old_crd: " + err.Error()
			return v
		}
		store(old, r.Established == nil || *r.Established)
	}
	crd, strict, err := decode(r.CRD)
	if err != nil {
		v.Decode = err.Error()
		return v
	}
	v.Strict = strict
	v.admit(crd, old)
	return v
}

func jsonInfo() runtime.SerializerInfo {
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	return info
}

// decode reads a CRD as the server does for fieldValidation=Strict, strict errors apart.
func decode(data []byte) (*apiextensions.CustomResourceDefinition, []string, error) {
	crd := &apiextensions.CustomResourceDefinition{}
	decoder := codecs.DecoderToVersion(jsonInfo().StrictSerializer, apiextensions.SchemeGroupVersion)
	_, named, err := decoder.Decode(data, &crdGVK, crd)
	var strict []string
	if minded, ok := runtime.AsStrictDecodingError(err); ok {
		for _, e := range minded.Errors() {
			strict = append(strict, e.Error())
		}
		err = nil
	}
	if err != nil && named != nil && named.Kind != "" {
		err = fmt.Errorf("%s in version %q cannot be handled as a %s: %w", named.Kind, named.Version, crdGVK.Kind, err)
	} else if err != nil {
		err = unrecognized(crdGVK.Kind, data, err)
	}
	if err == nil && named.GroupVersion() != apiextv1.SchemeGroupVersion {
		err = fmt.Errorf("the API version in the data (%s) does not match the expected API version (%v)", named.GroupVersion(), apiextv1.SchemeGroupVersion)
	}
	return crd, strict, err
}

// unrecognized is the error of a server for a body without a kind, with its first bytes.
func unrecognized(kind string, data []byte, err error) error {
	start := data[:min(len(data), 30)]
	more := map[bool]string{true: " ..."}[len(data) > 30]
	return fmt.Errorf("the object provided is unrecognized (must be of type %s): %w (%s%s)", kind, err, start, more)
}

func fill(obj metav1.Object) {
	rest.WipeObjectMetaSystemFields(obj)
	obj.SetUID(fixedUID)
	obj.SetCreationTimestamp(metav1.Unix(0, 0))
	if obj.GetGenerateName() != "" && obj.GetName() == "" {
		obj.SetName(obj.GetGenerateName() + "xxxxx")
	}
}

// store gives an old CRD what it would have in storage; what its own status says stays.
func store(crd *apiextensions.CustomResourceDefinition, established bool) {
	version := crd.GetResourceVersion()
	fill(crd)
	if crd.SetResourceVersion(version); version == "" {
		crd.SetResourceVersion("1")
	}
	if crd.Generation == 0 {
		crd.Generation = 1
	}
	for _, v := range crd.Spec.Versions {
		if v.Storage && len(crd.Status.StoredVersions) == 0 {
			crd.Status.StoredVersions = []string{v.Name}
		}
	}
	if !established {
		return
	}
	if crd.Status.AcceptedNames.Plural == "" {
		crd.Status.AcceptedNames = *crd.Spec.Names.DeepCopy()
	}
	for _, kind := range []apiextensions.CustomResourceDefinitionConditionType{apiextensions.NamesAccepted, apiextensions.Established} {
		if apiextensions.FindCRDCondition(crd, kind) == nil {
			crd.Status.Conditions = append(crd.Status.Conditions, apiextensions.CustomResourceDefinitionCondition{Type: kind, Status: apiextensions.ConditionTrue})
		}
	}
}

type createSeen struct {
	rest.RESTCreateStrategy
	seen field.ErrorList
}

func (s *createSeen) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	s.seen = s.RESTCreateStrategy.Validate(ctx, obj)
	return s.seen
}

type updateSeen struct {
	rest.RESTUpdateStrategy
	seen field.ErrorList
}

func (s *updateSeen) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	s.seen = s.RESTUpdateStrategy.ValidateUpdate(ctx, obj, old)
	return s.seen
}

type warnings struct{ texts []string }

func (w *warnings) AddWarning(_, text string) {
	w.texts = append(w.texts, selfType.ReplaceAllString(text, "selfType"))
}

func (v *verdict) admit(crd, old *apiextensions.CustomResourceDefinition) {
	strategy := customresourcedefinition.NewStrategy(scheme)
	warned := &warnings{}
	ctx := warning.WithWarningRecorder(genericapirequest.WithNamespace(context.Background(), ""), warned)
	if old == nil {
		fill(crd)
		create := &createSeen{RESTCreateStrategy: strategy}
		v.taken(rest.BeforeCreate(create, ctx, crd), func() field.ErrorList { return create.seen })
	} else {
		if crd.GetResourceVersion() == "" {
			crd.SetResourceVersion(old.GetResourceVersion())
		}
		update := &updateSeen{RESTUpdateStrategy: strategy}
		v.taken(rest.BeforeUpdate(update, ctx, crd, old), func() field.ErrorList { return update.seen })
	}
	sort.Strings(warned.texts)
	v.Warnings = warned.texts
	if len(v.Errors) > 0 || v.Status != "" {
		return
	}
	var b bytes.Buffer
	if err := codecs.EncoderForVersion(jsonInfo().Serializer, apiextv1.SchemeGroupVersion).Encode(crd, &b); err != nil {
		v.Failed = err.Error()
		return
	}
	v.Size = b.Len()
	if err := json.Unmarshal(b.Bytes(), &v.Object); err != nil {
		v.Failed = err.Error()
	}
	meta := v.Object["metadata"].(map[string]any)
	for key, fixed := range map[string]any{"uid": string(fixedUID), "resourceVersion": "1"} {
		if meta[key] == fixed {
			delete(meta, key)
		}
	}
	delete(meta, "creationTimestamp")
}

func (v *verdict) taken(err error, seen func() field.ErrorList) {
	var status *apierrors.StatusError
	if err == nil {
		return
	}
	if !errors.As(err, &status) || !apierrors.IsInvalid(err) || status.ErrStatus.Details == nil {
		v.Status = err.Error()
		return
	}
	unused := append(field.ErrorList{}, seen()...)
	for _, c := range status.ErrStatus.Details.Causes {
		one := cause{Type: string(c.Type), Field: c.Field, Detail: c.Message}
		for i, e := range unused {
			if e != nil && e.Field == c.Field && string(e.Type) == string(c.Type) && e.ErrorBody() == c.Message {
				one.Detail, one.Value = e.Detail, value(e)
				unused[i] = nil
				break
			}
		}
		one.Detail = selfType.ReplaceAllString(one.Detail, "selfType")
		v.Errors = append(v.Errors, selfType.ReplaceAllString(c.Field+": "+c.Message, "selfType"))
		v.Causes = append(v.Causes, one)
	}
	sort.Sort(byText{v})
}

type byText struct{ *verdict }

func (b byText) Len() int           { return len(b.Errors) }
func (b byText) Less(i, j int) bool { return b.Errors[i] < b.Errors[j] }
func (b byText) Swap(i, j int) {
	b.Errors[i], b.Errors[j] = b.Errors[j], b.Errors[i]
	b.Causes[i], b.Causes[j] = b.Causes[j], b.Causes[i]
}

func value(e *field.Error) json.RawMessage {
	switch {
	case e.Type == field.ErrorTypeRequired, e.Type == field.ErrorTypeForbidden, e.Type == field.ErrorTypeInternal:
		return nil
	case fmt.Sprintf("%T", e.BadValue) == "field.OmitValueType":
		return nil
	}
	if b, err := json.Marshal(e.BadValue); err == nil {
		return b
	}
	b, _ := json.Marshal(fmt.Sprintf("%#v", e.BadValue))
	return b
}
