// For toolkits without this header, which clang 19 includes. It held device functions only.
#pragma once
