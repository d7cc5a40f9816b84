# Everything there is to run. Needs Python 3.11 or newer and make; the rest goes into .venv.

PYTHON ?= python3
BIN    := .venv/bin
READY  := .venv/.ready
CODE   := protoc_gen_crd tests docs setup.py

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start hundreds of processes: none compiles again what another one has compiled, whatever the caller has set.
export PYTHONDONTWRITEBYTECODE :=

# One process more than processors: some tests wait for servers and other programs.
WORKERS := $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
# Tests of a file stay in one process while the others are busy: they share what they compile.
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal --quiet

SERVER := .cluster/kube-testserver
LDFLAGS := -s -w -X k8s.io/component-base/version.gitVersion=v1.37.1

# The budget of all fuzzers together, and their seed.
SECONDS := 600
SEED := 1
# The number of runs of which `make bench` reports the median.
PAIRS := 10

.PHONY: demo test test-cluster test-browser test-editors check update docs site bench fuzz record requirements clean

# Generates the CRDs of the example and shows them.
demo: $(READY)
	$(BIN)/protoc-gen-crd generate --settings examples/widget/protoc-gen-crd.yaml --out .demo
	@cat .demo/*.yaml

# All tests, after the checks; with ROOM=cel the unit tests of that package alone.
test: $(if $(ROOM),$(READY),check)
	$(PYTEST) $(if $(ROOM),tests/unit/$(ROOM))

# Our verdicts against a running API server, which is built first: minutes without Go's build cache, seconds with it.
test-cluster: $(READY)
	@if ! command -v go >/dev/null; then echo "test-cluster: skipped, there is no Go to build an API server with"; \
	elif ! (cd tests/apiserver && go mod download); then echo "test-cluster: skipped, Kubernetes' modules cannot be had"; \
	else (cd tests/apiserver && go build -ldflags "$(LDFLAGS)" -o ../../$(SERVER) .) && \
	KUBE_TESTSERVER=$(CURDIR)/$(SERVER) $(BIN)/python -m pytest --quiet tests/cluster; fi

# The API explorer in a browser. Installs Chromium, Playwright and axe-core where that is possible.
test-browser: $(READY)
	@sh tests/browser/install.sh $(BIN)/python .browser; status=$$?; \
	if [ $$status -eq 77 ]; then exit 0; elif [ $$status -ne 0 ]; then exit $$status; fi; \
	CHROMIUM="$$(command -v chromium)" AXE=.browser/node_modules/axe-core/axe.min.js \
	$(BIN)/python -m pytest --quiet tests/browser

# The JSON Schemas of kinds in yaml-language-server, which is installed with npm where that is possible.
test-editors: $(READY)
	@sh tests/editors/install.sh .editors; status=$$?; \
	if [ $$status -eq 77 ]; then exit 0; elif [ $$status -ne 0 ]; then exit $$status; fi; \
	YAML_LANGUAGE_SERVER=.editors/node_modules/.bin/yaml-language-server \
	$(BIN)/python -m pytest --quiet tests/editors

# Style and types.
check: $(READY)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy --num-workers auto

# Writes expected outputs anew; read the diff before you commit it.
update: $(READY) docs
	for example in examples/*; do (cd $$example && ../../$(BIN)/protoc-gen-crd generate) || exit; done
	$(PYTEST) tests/cases tests/drift/test_readme.py --update

# Writes the reference pages anew, from the tables that the program itself uses.
docs: $(READY)
	$(BIN)/python -m docs.build

# The documentation as a site with search, in .site; every link is checked. Installs MkDocs where that is possible.
site: $(READY)
	@if ! $(BIN)/python -c 'import material' 2>/dev/null && ! $(BIN)/python -m pip install --quiet --editable '.[site]' \
	--config-settings editable_mode=compat; then echo "site: skipped, MkDocs cannot be installed"; else \
	$(BIN)/python -m docs.site .site && SITE=.site $(BIN)/python -m pytest --quiet tests/site; fi

# How long a plugin run takes, in units of a plugin that does nothing: medians of PAIRS runs.
bench: $(READY)
	PAIRS=$(PAIRS) $(BIN)/python -m tests.bench

# Fuzzers of all surfaces, each with its share of SECONDS.
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED)

# Records what Kubernetes' own code answers in one version, with a judge that Go builds from its modules: make record
# VERSION=1.38. docs/new-kubernetes-version.md has the steps around it.
record: $(READY)
	@case "$(VERSION)" in 1.[0-9][0-9]) ;; *) echo "record: set a Kubernetes version, such as VERSION=1.38" >&2; exit 2;; esac
	sh tests/judges/crdadmission/build.sh $(patsubst 1.%,v0.%,$(VERSION)) $(CURDIR)/.judges/$(VERSION)
	$(BIN)/python -m tests.judges.verdicts.record .judges

# Writes requirements.txt again: the dependencies of an installation, at the versions of constraints.txt, with hashes.
requirements: .requirements
	.requirements/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links --constraint constraints.txt \
	--output-file requirements.txt pyproject.toml

.requirements:
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet pip-tools==7.6.2

clean:
	rm -rf .venv .requirements .browser .site .editors .demo .cluster .fuzz .judges build dist protoc_gen_crd.egg-info

# An installation of this checkout, with bytecode: a plugin starts too often to compile it each time.
$(READY): pyproject.toml setup.py constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]' --config-settings editable_mode=compat
	$(BIN)/python -m compileall -q .venv/lib protoc_gen_crd
	@touch $@
