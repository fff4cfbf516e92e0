import { type CallPoint, calmPlan, type Fault, type FaultPlan } from '../simulation/fault.ts';

/** A plan in which the first call that `isIt` finds meets a fault. */
export function onceWhere(
  isIt: (point: CallPoint) => boolean,
  fault: Fault,
  more: Partial<FaultPlan> = {},
): FaultPlan {
  let isDone = false;
  const faultOf = (point: CallPoint) => {
    if (isDone || !isIt(point)) return undefined;
    isDone = true;
    return fault;
  };
  return { ...calmPlan(faultOf), ...more };
}
