import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './callout.module.css';

type Props = { tone: 'error' | 'warning'; title: string; children: ReactNode; urgent?: boolean };

/** A message about an error or a warning; `urgent` announces it to screen readers. */
export function Callout({ tone, title, children, urgent = false }: Props) {
  return (
    <div className={classes.callout} data-tone={tone} role={urgent ? 'alert' : undefined}>
      <CircleAlert size={20} aria-hidden className={classes.icon} />
      <div className={classes.body}>
        <p className={classes.title}>{title}</p>
        {children}
      </div>
    </div>
  );
}
