/* A stand-in for the library of the NVIDIA driver: the calls that the probes make, and the ways in which they fail.
 * It is built once for each mood (-DMOOD=LOST -DMOOD_LOST), since a mood cannot be told to a library that is loaded already. */

#include <string.h>
#include <unistd.h>

enum mood {
    TWO_CARDS,     /* all answers */
    NO_CARDS,      /* a driver without a card */
    LOST,          /* the second card falls off the bus while it is read */
    LOST_HANDLE,   /* the second card cannot even be named */
    OLD,           /* a driver that lacks the newer calls for memory and programs */
    NO_FIGURES,    /* a driver that tells which programs use a card, and not how much: Windows */
    NOT_LOADED,    /* the library is there, the kernel's part is not */
    NO_PERMISSION, /* the user may not ask */
    MISMATCH,      /* library and kernel's part are of different versions */
    SHARED,        /* a chip that has no memory of its own */
    BAD_TEXT,      /* a name that is no UTF-8 */
    HANGS,         /* never answers */
    HANGS_AT_TWO,  /* answers for the first card and then never */
    BREAKS         /* an error that nobody expects */
};

enum code {
    SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, PERMISSION = 4, INSUFFICIENT_SIZE = 7, DRIVER_NOT_LOADED = 9,
    GPU_IS_LOST = 15, VERSION_MISMATCH = 18, UNKNOWN = 999
};

struct card {
    const char *name;
    const char *bus;
    const char *uuid;
    int major, minor;
    unsigned long long total, reserved, used;
};

#define MIB (1024ULL * 1024ULL)

static struct card cards[2] = {
    {"NVIDIA GeForce RTX 4090", "00000000:01:00.0", "GPU-11111111-2222-3333-4444-555555555555", 8, 9, 24564 * MIB, 432 * MIB, 1200 * MIB},
    {"NVIDIA GeForce GTX 1080 Ti", "00000000:21:00.0", "GPU-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", 6, 1, 11264 * MIB, 90 * MIB, 11000 * MIB},
};

struct memory_v2 {
    unsigned version;
    unsigned long long total, reserved, free, used;
};

struct pci {
    char legacy[16];
    unsigned domain, bus, device, pci_device, pci_subsystem;
    char bus_id[32];
};

static int hang(void) {
    for (;;)
        pause();
}

/* What every call about a card says before it says anything else. */
static int state(struct card *card) {
    int second = card == &cards[1];
    if (MOOD == LOST && second) return GPU_IS_LOST;
    if (MOOD == HANGS_AT_TWO && second) return hang();
    if (MOOD == BREAKS) return UNKNOWN;
    return SUCCESS;
}

int nvmlInit_v2(void) {
    switch (MOOD) {
    case NOT_LOADED: return DRIVER_NOT_LOADED;
    case NO_PERMISSION: return PERMISSION;
    case MISMATCH: return VERSION_MISMATCH;
    case HANGS: return hang();
    default: return SUCCESS;
    }
}

int nvmlShutdown(void) { return SUCCESS; }

int nvmlSystemGetDriverVersion(char *out, unsigned length) {
    strncpy(out, MOOD == OLD ? "470.256.02" : "560.35.03", length);
    return SUCCESS;
}

int nvmlSystemGetCudaDriverVersion_v2(int *out) {
    *out = MOOD == OLD ? 11040 : 12060;
    return SUCCESS;
}

int nvmlDeviceGetCount_v2(unsigned *out) {
    *out = MOOD == NO_CARDS ? 0 : MOOD == SHARED ? 1 : 2;
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, struct card **out) {
    if (index > 1) return INVALID_ARGUMENT;
    if (MOOD == LOST_HANDLE && index == 1) return GPU_IS_LOST;
    *out = &cards[index];
    return SUCCESS;
}

int nvmlDeviceGetName(struct card *card, char *out, unsigned length) {
    int said = state(card);
    if (said) return said;
    strncpy(out, MOOD == SHARED ? "NVIDIA GB10" : MOOD == BAD_TEXT ? "\xff\xfe" : card->name, length);
    return SUCCESS;
}

int nvmlDeviceGetPciInfo_v3(struct card *card, struct pci *out) {
    int said = state(card);
    if (said) return said;
    memset(out, 0, sizeof *out);
    strncpy(out->bus_id, card->bus, sizeof out->bus_id);
    return SUCCESS;
}

int nvmlDeviceGetUUID(struct card *card, char *out, unsigned length) {
    int said = state(card);
    if (said) return said;
    strncpy(out, card->uuid, length);
    return SUCCESS;
}

int nvmlDeviceGetCudaComputeCapability(struct card *card, int *major, int *minor) {
    int said = state(card);
    if (said) return said;
    *major = card->major;
    *minor = card->minor;
    return SUCCESS;
}

struct process {
    unsigned id;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

/* Two programs use the first card, one of them for both, and none the second one. A driver asks for room by a refusal. */
static int programs(struct card *card, unsigned *count, struct process *out, unsigned found) {
    static const struct process known[2] = {{4711, 9000 * MIB, ~0u, ~0u}, {4712, 800 * MIB, ~0u, ~0u}};
    int said = state(card);
    if (said) return said;
    unsigned room = *count;
    *count = card == &cards[0] ? found : 0;
    if (*count > room) return INSUFFICIENT_SIZE;
    for (unsigned i = 0; i < *count; i++) {
        out[i] = known[i];
        if (MOOD == NO_FIGURES) out[i].memory = ~0ULL;
    }
    return SUCCESS;
}

#ifndef MOOD_OLD
int nvmlDeviceGetComputeRunningProcesses_v3(struct card *card, unsigned *count, struct process *out) {
    return programs(card, count, out, 2);
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(struct card *card, unsigned *count, struct process *out) {
    return programs(card, count, out, 1);
}

int nvmlDeviceGetMemoryInfo_v2(struct card *card, struct memory_v2 *out) {
    int said = state(card);
    if (said) return said;
    if (MOOD == SHARED) return NOT_SUPPORTED;
    if (out->version != (sizeof *out | 2 << 24)) return INVALID_ARGUMENT;
    out->total = card->total;
    out->reserved = card->reserved;
    out->used = card->used;
    out->free = card->total - card->reserved - card->used;
    return SUCCESS;
}
#endif
