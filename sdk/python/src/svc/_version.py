"""The version of the package, which is that of the platform."""

VERSION = "0.1.0"
