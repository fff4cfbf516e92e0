import { useComputedColorScheme } from '@mantine/core';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { stateLabel } from '../job/state-badge.tsx';
import { Section } from '../ui/section.tsx';
import { dayLabel, mediaMinutes, type Series } from './chart-series.ts';
import classes from './usage.module.css';
import { UsageTooltip } from './usage-tooltip.tsx';
import type { UsageDay } from './usage-totals.ts';

const tones = {
  light: {
    completed: '#2f9e44',
    failed: '#e03131',
    rejected: '#e8590c',
    cancelled: '#868e96',
    processing: '#4263eb',
    queued: '#adb5bd',
    line: '#dee2e6',
  },
  dark: {
    completed: '#51cf66',
    failed: '#ff6b6b',
    rejected: '#ff922b',
    cancelled: '#909296',
    processing: '#748ffc',
    queued: '#5c5f66',
    line: '#424242',
  },
} as const;

/** From the ground up. */
const order = ['completed', 'cancelled', 'rejected', 'failed', 'processing', 'queued'] as const;

/** Jobs and media minutes of each day. The table under them says the same in numbers. */
export function UsageCharts({ days }: { days: readonly UsageDay[] }) {
  const colors = tones[useComputedColorScheme('light', { getInitialValueInEffect: false })];
  const ofStates: Series[] = order.map((state) => ({
    name: stateLabel(state),
    color: colors[state],
    value: ({ jobs }) => jobs[state],
  }));
  const ofMinutes: Series[] = [{ name: 'Media minutes', color: colors.processing, value: mediaMinutes }];
  return (
    <>
      <Section title="Jobs by state">
        <ul className={classes.legend}>
          {ofStates.map(({ name, color }) => (
            <li key={name}>
              <span className={classes.swatch} style={{ background: color }} aria-hidden />
              {name}
            </li>
          ))}
        </ul>
        <Chart days={days} series={ofStates} line={colors.line} label="Jobs by state for each day" />
      </Section>
      <Section title="Media minutes">
        <Chart days={days} series={ofMinutes} line={colors.line} label="Media minutes for each day" />
      </Section>
    </>
  );
}

type ChartProps = { days: readonly UsageDay[]; series: readonly Series[]; line: string; label: string };

function Chart({ days, series, line, label }: ChartProps) {
  return (
    <div className={classes.chart} role="img" aria-label={label}>
      <ResponsiveContainer>
        <BarChart
          data={[...days]}
          margin={{ top: 4, right: 0, bottom: 0, left: -16 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke={line} />
          <XAxis
            dataKey="date"
            tickFormatter={dayLabel}
            tickLine={false}
            axisLine={{ stroke: line }}
            minTickGap={24}
          />
          <YAxis allowDecimals={false} tickLine={false} axisLine={false} />
          <Tooltip cursor={{ fill: line, opacity: 0.4 }} content={<UsageTooltip series={series} />} />
          {series.map(({ name, color, value }) => (
            <Bar
              key={name}
              name={name}
              dataKey={value}
              stackId="day"
              fill={color}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
