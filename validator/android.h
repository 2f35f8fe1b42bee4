/* The label files of Android.  Private to validator/.
 *
 * Facts: the comments in these files in the Android Open Source Project,
 * libselinux (label_backends_android.c), its property_info_serializer, checkfc
 * and check_seapp. */
#ifndef VALIDATOR_ANDROID_H
#define VALIDATOR_ANDROID_H

/* Kinds whose lines are a name and a context. */
enum android_role { ANDROID_SERVICE, ANDROID_HWSERVICE, ANDROID_VNDSERVICE, ANDROID_KEYSTORE2, ANDROID_PROPERTY };

#endif
