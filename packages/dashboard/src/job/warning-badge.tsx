import { TriangleAlert } from 'lucide-react';
import classes from './state-badge.module.css';

/** How many warnings a job has; nothing for none. */
export function WarningBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.badge} data-state="rejected">
      <TriangleAlert size={15} aria-hidden />
      {count === 1 ? '1 warning' : `${count} warnings`}
    </span>
  );
}
