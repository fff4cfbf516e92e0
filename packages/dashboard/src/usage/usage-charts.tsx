import { Flex, useComputedColorScheme } from '@mantine/core';
import { formatDollars, formatNumber } from '@media-jobs/cli/formatting';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { stateLabel } from '../job/state-badge.tsx';
import { Section } from '../ui/section.tsx';
import { chartSummary, type Series } from './chart-summary.ts';
import classes from './usage.module.css';
import { dayLabel, mediaMinutes, type UsageDay, weeklyDates } from './usage-days.ts';

/** One bar of the stack, with its color. */
type ColoredSeries = Series & { color: string };

const palettes = {
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

/** From bottom to top. */
const stackOrder = ['completed', 'cancelled', 'rejected', 'failed', 'processing', 'queued'] as const;

/** Jobs, media minutes and cost of each day. The table of days has their figures as text. */
export function UsageCharts({ days }: { days: readonly UsageDay[] }) {
  const colors = palettes[useComputedColorScheme('light', { getInitialValueInEffect: false })];
  const stateSeries: ColoredSeries[] = stackOrder.map((state) => ({
    name: stateLabel(state),
    color: colors[state],
    value: ({ jobs }) => jobs[state],
  }));
  const minuteSeries = [{ name: 'Media minutes', color: colors.processing, value: mediaMinutes }];
  const costSeries = [{ name: 'Cost', color: colors.completed, value: ({ usd }: UsageDay) => usd }];
  const { line } = colors;
  return (
    <>
      <Section title="Jobs by state">
        <Flex component="ul" wrap="wrap" gap="4px 16px" mb={12} fz={13}>
          {stateSeries.map(({ name, color }) => (
            <Flex component="li" align="center" gap={6} key={name}>
              <span className={classes.swatch} style={{ background: color }} aria-hidden />
              {name}
            </Flex>
          ))}
        </Flex>
        <Chart {...{ days, line }} series={stateSeries} format={formatNumber} label="Jobs by state and day" />
      </Section>
      <Section title="Media minutes">
        <Chart {...{ days, line }} series={minuteSeries} format={formatNumber} label="Media minutes by day" />
      </Section>
      <Section title="Cost">
        <Chart {...{ days, line }} series={costSeries} format={formatDollars} label="Cost by day" />
      </Section>
    </>
  );
}

type ChartProps = {
  days: readonly UsageDay[];
  series: readonly ColoredSeries[];
  format: (value: number) => string;
  line: string;
  label: string;
};

function Chart({ days, series, format, line, label }: ChartProps) {
  return (
    <div className={classes.chart} role="img" aria-label={`${label}. ${chartSummary(days, { series, format })}`}>
      <ResponsiveContainer>
        <BarChart data={[...days]} margin={{ top: 4, right: 0, bottom: 0, left: 2 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke={line} />
          <XAxis
            dataKey="date"
            tickFormatter={dayLabel}
            tickLine={false}
            axisLine={{ stroke: line }}
            minTickGap={0}
            ticks={weeklyDates(days)}
          />
          <YAxis
            width="auto"
            allowDecimals={format === formatDollars}
            tickFormatter={format}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip cursor={{ fill: line, opacity: 0.4 }} content={<UsageTooltip {...{ series, format }} />} />
          {series.map(({ name, color, value }) => (
            <Bar key={name} name={name} dataKey={value} stackId="day" fill={color} isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

type TooltipProps = Pick<ChartProps, 'series' | 'format'> & {
  /** Set by recharts. */
  active?: boolean;
  payload?: readonly { payload?: UsageDay }[];
};

function UsageTooltip({ series, format, active = false, payload = [] }: TooltipProps) {
  const day = payload[0]?.payload;
  if (!active || day === undefined) return null;
  const shown = series.filter(({ value }) => value(day) > 0).toReversed();
  return (
    <div className={`${classes.tooltip} numbers`}>
      <strong>{dayLabel(day.date)}</strong>
      {shown.map(({ name, value }) => (
        <div key={name}>
          {name}: {format(value(day))}
        </div>
      ))}
      {shown.length === 0 ? <div>No data</div> : null}
    </div>
  );
}
