// Package v1 is the API in Go that ../../proto is the same of.
//
// +groupName=backup.acme.example
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Backup copies volumes to a store, over and over.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=bk,categories=all;acme,scope=Namespaced
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=Schedule,type=string,JSONPath=.spec.schedule
// +kubebuilder:printcolumn:name=Last,type=date,JSONPath=.status.lastTime,priority=1
// +kubebuilder:selectablefield:JSONPath=.spec.mode
// +kubebuilder:metadata:labels=app=acme
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec   BackupSpec   `json:"spec"`
	Status BackupStatus `json:"status,omitempty"`
}

// BackupSpec is what to copy, and when.
//
// +kubebuilder:validation:XValidation:rule="self.mode != 'Full' || has(self.store)",message="a full backup needs a store"
type BackupSpec struct {
	// When to start, as cron says it.
	// +required
	// +kubebuilder:validation:MinLength=9
	// +kubebuilder:validation:Pattern=`^\S+( \S+){4}$`
	Schedule string `json:"schedule"`

	// What is copied.
	// +optional
	// +kubebuilder:default=Changes
	Mode Mode `json:"mode,omitempty"`

	// How many copies are kept.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	// +kubebuilder:default=7
	Keep int32 `json:"keep,omitempty"`

	// The most bytes that may be written.
	// +optional
	MaxBytes *int64 `json:"maxBytes,omitempty"`

	// The volumes, by name.
	// +required
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Volumes []Volume `json:"volumes"`

	// Labels of the copies.
	// +optional
	// +kubebuilder:validation:MaxProperties=8
	Labels map[string]string `json:"labels,omitempty"`

	// Where the copies go. It cannot be moved.
	// +optional
	// +k8s:immutable
	Store *Store `json:"store,omitempty"`

	// Patterns of files to leave out.
	// +optional
	// +listType=set
	// +kubebuilder:validation:items:MinLength=1
	Exclude []string `json:"exclude,omitempty"`

	// Not before this time.
	// +optional
	NotBefore *metav1.Time `json:"notBefore,omitempty"`

	// How hard to squeeze.
	// +optional
	Ratio float64 `json:"ratio,omitempty"`

	// Whether to wait.
	// +optional
	// +nullable
	Suspended *bool `json:"suspended,omitempty"`
}

// Mode is what a backup copies.
// +kubebuilder:validation:Enum=Full;Changes
type Mode string

// Volume is one thing to copy.
type Volume struct {
	// +required
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`
	// A digest of the key that it is locked with.
	// +optional
	Digest []byte `json:"digest,omitempty"`
}

// Store is a place for copies.
//
// +kubebuilder:validation:ExactlyOneOf=bucket;path
// +structType=atomic
type Store struct {
	// +optional
	Bucket *string `json:"bucket,omitempty"`
	// +optional
	Path *string `json:"path,omitempty"`
}

// BackupStatus is how the last run went.
type BackupStatus struct {
	// When it ended.
	// +optional
	LastTime *metav1.Time `json:"lastTime,omitempty"`
	// The copies there are.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Copies uint32 `json:"copies,omitempty"`
}
