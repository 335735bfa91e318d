"""All lawful variants, by subject."""

import variants_create
import variants_export
import variants_general

ALL = variants_create.ALL + variants_export.ALL + variants_general.ALL
