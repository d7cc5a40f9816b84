"""The waist: a CustomResourceDefinition as data. Everything before it makes Crds, everything after it reads them."""
