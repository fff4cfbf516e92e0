import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { DeliveryResource } from '../../core/api/deliveries.ts';
import classes from '../job/state-badge.module.css';

const looks = {
  pending: { label: 'Under way', Icon: CircleDashed, tone: 'queued' },
  delivered: { label: 'Delivered', Icon: CircleCheck, tone: 'completed' },
  failed: { label: 'Failed', Icon: CircleX, tone: 'failed' },
} as const satisfies Record<DeliveryResource['state'], unknown>;

/** How an attempt to deliver ended, by word and sign. */
export function AttemptStateBadge({ state }: { state: DeliveryResource['state'] }) {
  const { label, Icon, tone } = looks[state];
  return (
    <span className={classes.badge} data-state={tone}>
      <Icon size={15} aria-hidden />
      {label}
    </span>
  );
}
