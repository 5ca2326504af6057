// Of what fixtures include, what takes long to read: precompiled with whatever they all include. A fix that needs one
// of Torch's own headers has to include it, so that these are not here.
#pragma once

#if __has_include(<Eigen/Dense>)
#include <Eigen/Dense>
#endif
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>
#endif
#ifdef __CUDA__
#include <cub/device/device_scan.cuh>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#endif
