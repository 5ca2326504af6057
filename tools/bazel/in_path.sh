#!/bin/sh
exec samedevice "$@"
