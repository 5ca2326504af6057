// Stands where each of SAMEDEVICE_FIXTURES is put in turn (FileByFile.h).
