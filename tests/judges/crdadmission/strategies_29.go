//go:build k29

package main

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// newStrategies is for Kubernetes 1.29.
func newStrategies(namespaced bool, gvk schema.GroupVersionKind, v apiextv1.CustomResourceDefinitionVersion, plain *apiextensions.JSONSchemaProps, own *structuralschema.Structural) (made strategies, err error) {
	whole, _, err := validation.NewSchemaValidator(plain)
	if err != nil {
		return made, err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	var scale *apiextensions.CustomResourceSubresourceScale
	var ofStatus validation.SchemaValidator
	if property, ok := plain.Properties["status"]; ok && v.Subresources != nil && v.Subresources.Status != nil {
		if ofStatus, _, err = validation.NewSchemaValidator(&property); err != nil {
			return made, err
		}
	}
	if v.Subresources != nil && v.Subresources.Status != nil {
		status = &apiextensions.CustomResourceSubresourceStatus{}
	}
	if v.Subresources != nil && v.Subresources.Scale != nil {
		scale = &apiextensions.CustomResourceSubresourceScale{
			SpecReplicasPath:   v.Subresources.Scale.SpecReplicasPath,
			StatusReplicasPath: v.Subresources.Scale.StatusReplicasPath,
			LabelSelectorPath:  v.Subresources.Scale.LabelSelectorPath,
		}
	}
	strategy := customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(), namespaced, gvk, whole, ofStatus, own, status, scale)
	made.create, made.update = strategy, strategy
	if status != nil {
		made.status = customresource.NewStatusStrategy(strategy)
	}
	return made, nil
}
