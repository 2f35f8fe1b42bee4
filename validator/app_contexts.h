/* The files in which applications find their contexts.  Private to validator/. */
#ifndef VALIDATOR_APP_CONTEXTS_H
#define VALIDATOR_APP_CONTEXTS_H

/* Files of one context, or two. */
enum app_context_role { APP_FAILSAFE, APP_REMOVABLE, APP_INITRC, APP_USERHELPER, APP_VIRTUAL_DOMAIN, APP_VIRTUAL_IMAGE };

/* Files of `key = value`. */
enum app_key_role { APP_LXC, APP_OPENRC, APP_OPENSSH, APP_SNAPPERD, APP_SYSTEMD };

/* Files of objects, each with a name or pattern and a context. */
enum app_object_role { APP_X, APP_SEPGSQL, APP_MEDIA };

/* Files of types. */
enum app_type_role { APP_CUSTOMIZABLE, APP_SECURETTY };

#endif
