// Tells of each folder of manifests that is named what kustomize, Kubernetes' types, Pod Security Standards, cert-manager's
// types, those of the Prometheus operator and Prometheus' parser say of it. One JSON object for each folder.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	cmapi "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/prometheus/prometheus/promql/parser"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

type verdict struct {
	Error    string            `json:"error,omitempty"`
	Objects  []string          `json:"objects"`
	Faults   map[string]string `json:"faults,omitempty"`
	Images   []string          `json:"images"`
	Replicas int32             `json:"replicas"`
	Security []string          `json:"security,omitempty"`
}

// Types by kind; what is not here is unknown.
var types = map[string]func() any{
	"Namespace":                      func() any { return &core.Namespace{} },
	"Service":                        func() any { return &core.Service{} },
	"ServiceAccount":                 func() any { return &core.ServiceAccount{} },
	"Deployment":                     func() any { return &apps.Deployment{} },
	"NetworkPolicy":                  func() any { return &networking.NetworkPolicy{} },
	"PodDisruptionBudget":            func() any { return &policyv1.PodDisruptionBudget{} },
	"ClusterRole":                    func() any { return &rbac.ClusterRole{} },
	"ValidatingWebhookConfiguration": func() any { return &admissionregistration.ValidatingWebhookConfiguration{} },
	"Issuer":                         func() any { return &cmapi.Issuer{} },
	"Certificate":                    func() any { return &cmapi.Certificate{} },
	"PrometheusRule":                 func() any { return &monitoring.PrometheusRule{} },
	"ServiceMonitor":                 func() any { return &monitoring.ServiceMonitor{} },
}

func main() {
	for _, folder := range os.Args[1:] {
		text, err := json.Marshal(judge(folder))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}

func judge(folder string) (said verdict) {
	said.Faults = map[string]string{}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		said.Error = err.Error()
		return said
	}
	for _, found := range built.Resources() {
		name := found.GetKind() + "/" + found.GetName()
		said.Objects = append(said.Objects, name)
		if fault := said.look(found); fault != nil {
			said.Faults[name] = fault.Error()
		}
	}
	return said
}

func (said *verdict) look(found *resource.Resource) error {
	make, known := types[found.GetKind()]
	if !known {
		return fmt.Errorf("an unknown kind")
	}
	text, err := found.AsYAML()
	if err != nil {
		return err
	}
	typed := make()
	if err := yaml.UnmarshalStrict(text, typed); err != nil {
		return err
	}
	if rule, is := typed.(*monitoring.PrometheusRule); is {
		return parsed(rule)
	}
	if deployment, is := typed.(*apps.Deployment); is {
		said.Replicas = *deployment.Spec.Replicas
		for _, container := range deployment.Spec.Template.Spec.Containers {
			said.Images = append(said.Images, container.Image)
		}
		return said.secure(&deployment.Spec.Template.ObjectMeta, &deployment.Spec.Template.Spec)
	}
	return nil
}

func parsed(rule *monitoring.PrometheusRule) error {
	for _, group := range rule.Spec.Groups {
		for _, one := range group.Rules {
			if _, err := parser.ParseExpr(one.Expr.String()); err != nil {
				return fmt.Errorf("%s: %w", one.Alert, err)
			}
		}
	}
	return nil
}

func (said *verdict) secure(meta *metav1.ObjectMeta, spec *core.PodSpec) error {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return err
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, result := range evaluator.EvaluatePod(level, meta, spec) {
		if !result.Allowed {
			said.Security = append(said.Security, result.ForbiddenReason+": "+result.ForbiddenDetail)
		}
	}
	return nil
}
