import { type CallPoint, type Fault, type FaultPlan, noFaults } from '../world/fault.ts';

/** A plan with one fault, at the first call that `isIt` matches. */
export function faultOnce(isIt: (point: CallPoint) => boolean, fault: Fault, more: Partial<FaultPlan> = {}): FaultPlan {
  let isDone = false;
  const faultOf = (point: CallPoint) => {
    if (isDone || !isIt(point)) return undefined;
    isDone = true;
    return fault;
  };
  return { ...noFaults(faultOf), ...more };
}
