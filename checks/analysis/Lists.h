// Lists: vectors, maps, tuples and iterators.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void stepList(Context &context, const Instruction &instruction);
ObjectId makeList(Context &context, const Instruction &instruction, const std::vector<Value> &elements,
                  std::uint32_t nth = 0);
void addElement(Context &context, ObjectId list, const Value &value);
void clearList(State &state, ObjectId list);
void forgetSize(State &state, ObjectId list);
/// Numbers: what goes into such a list is not kept.
bool isPlain(const facts::SlotInfo &list);
SymbolId emptiness(const State &state, ObjectId list);
std::vector<Value> elements(const State &state, const Value &list);
Value lookUp(const State &state, const Value &list, const Value &key, bool maySayDevice);
Value deviceIn(const State &state, const Value &key);
bool maySayDevice(const State &state, const Instruction &lookup, const Value &key);
Outcomes element(Context &context, const Instruction &instruction);

} // namespace samedevice::analysis
