"""Initializers of records by the number of fields. `Record` replaces the names of the fields in their code.

They are written out because their compilation at run time would take 1 % of a plugin run.
"""

# mypy: disallow-untyped-defs=False, check-untyped-defs=False
# ruff: noqa: PLR0913, PLR0917

from __future__ import annotations


def _set_0(self):
    pass


def _set_1(self, a):
    self.a = a


def _set_2(self, a, b):
    self.a = a
    self.b = b


def _set_3(self, a, b, c):
    self.a = a
    self.b = b
    self.c = c


def _set_4(self, a, b, c, d):
    self.a = a
    self.b = b
    self.c = c
    self.d = d


def _set_5(self, a, b, c, d, e):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e


def _set_6(self, a, b, c, d, e, f):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f


def _set_7(self, a, b, c, d, e, f, g):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g


def _set_8(self, a, b, c, d, e, f, g, h):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h


def _set_9(self, a, b, c, d, e, f, g, h, i):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i


def _set_10(self, a, b, c, d, e, f, g, h, i, j):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j


def _set_11(self, a, b, c, d, e, f, g, h, i, j, k):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k


def _set_12(self, a, b, c, d, e, f, g, h, i, j, k, m):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k
    self.m = m


def _set_13(self, a, b, c, d, e, f, g, h, i, j, k, m, n):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k
    self.m = m
    self.n = n


def _set_14(self, a, b, c, d, e, f, g, h, i, j, k, m, n, o):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k
    self.m = m
    self.n = n
    self.o = o


def _set_15(self, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k
    self.m = m
    self.n = n
    self.o = o
    self.p = p


def _set_16(self, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q):
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
    self.g = g
    self.h = h
    self.i = i
    self.j = j
    self.k = k
    self.m = m
    self.n = n
    self.o = o
    self.p = p
    self.q = q


INITIALIZERS = (
    _set_0,
    _set_1,
    _set_2,
    _set_3,
    _set_4,
    _set_5,
    _set_6,
    _set_7,
    _set_8,
    _set_9,
    _set_10,
    _set_11,
    _set_12,
    _set_13,
    _set_14,
    _set_15,
    _set_16,
)
