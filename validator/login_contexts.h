/* The files that say which context a session gets.  Private to validator/. */
#ifndef VALIDATOR_LOGIN_CONTEXTS_H
#define VALIDATOR_LOGIN_CONTEXTS_H

enum login_role { LOGIN_CONTEXTS, LOGIN_USER_CONTEXTS, LOGIN_TYPE };

#endif
