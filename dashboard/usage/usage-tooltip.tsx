import { dayLabel, type Series } from './chart-series.ts';
import classes from './usage.module.css';
import type { UsageDay } from './usage-totals.ts';

type Props = {
  series: readonly Series[];
  /** Given by the chart. */
  active?: boolean;
  payload?: readonly { payload?: UsageDay }[];
};

/** The numbers of the day under the pointer. */
export function UsageTooltip({ series, active = false, payload = [] }: Props) {
  const day = payload[0]?.payload;
  if (!active || day === undefined) return null;
  const shown = series.filter(({ value }) => value(day) > 0).toReversed();
  return (
    <div className={`${classes.tip} numbers`}>
      <strong>{dayLabel(day.date)}</strong>
      {shown.map(({ name, value }) => (
        <div key={name}>
          {name}: {value(day)}
        </div>
      ))}
      {shown.length === 0 ? <div>Nothing</div> : null}
    </div>
  );
}
