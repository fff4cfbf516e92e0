import { Box, Flex, Paper, useComputedColorScheme } from '@mantine/core';
import { formatDollars, formatNumber } from '@media-jobs/cli/formatting';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { stateLabel } from '../job/state-badge.tsx';
import { Section } from '../ui/section.tsx';
import { chartSummary, type Series } from './chart-summary.ts';
import classes from './usage.module.css';
import { dayLabel, mediaMinutes, type UsageDay, weeklyDates } from './usage-days.ts';

/** One bar of the stack, with its color. */
type ColoredSeries = Series & { color: string };

/** The colors of states in both schemes, in the order of the bars from bottom to top. */
const colors = {
  completed: { light: '#2f9e44', dark: '#51cf66' },
  cancelled: { light: '#868e96', dark: '#909296' },
  rejected: { light: '#e8590c', dark: '#ff922b' },
  failed: { light: '#e03131', dark: '#ff6b6b' },
  processing: { light: '#4263eb', dark: '#748ffc' },
  queued: { light: '#adb5bd', dark: '#5c5f66' },
};
const stackOrder = Object.keys(colors) as (keyof typeof colors)[];

const line = 'var(--line)';

/** Jobs, media minutes and cost of each day. The table of days has their figures as text. */
export function UsageCharts({ days }: { days: readonly UsageDay[] }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const stateSeries: ColoredSeries[] = stackOrder.map((state) => ({
    name: stateLabel(state),
    color: colors[state][scheme],
    value: ({ jobs }) => jobs[state],
  }));
  const minuteSeries = [{ name: 'Media minutes', color: colors.processing[scheme], value: mediaMinutes }];
  const costSeries = [{ name: 'Cost', color: colors.completed[scheme], value: ({ usd }: UsageDay) => usd }];
  return (
    <>
      <Section title="Jobs by state">
        <Flex component="ul" wrap="wrap" gap="4px 16px" mb={12} fz={13}>
          {stateSeries.map(({ name, color }) => (
            <Flex component="li" align="center" gap={6} key={name}>
              <Box w={12} h={12} bdrs={3} bg={color} style={{ forcedColorAdjust: 'none' }} aria-hidden />
              {name}
            </Flex>
          ))}
        </Flex>
        <Chart days={days} series={stateSeries} format={formatNumber} label="Jobs by state and day" />
      </Section>
      <Section title="Media minutes">
        <Chart days={days} series={minuteSeries} format={formatNumber} label="Media minutes by day" />
      </Section>
      <Section title="Cost">
        <Chart days={days} series={costSeries} format={formatDollars} label="Cost by day" />
      </Section>
    </>
  );
}

type ChartProps = {
  days: readonly UsageDay[];
  series: readonly ColoredSeries[];
  format: (value: number) => string;
  label: string;
};

function Chart({ days, series, format, label }: ChartProps) {
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
    <Paper withBorder shadow="md" px={12} py={10} fz={13} className="numbers">
      <strong>{dayLabel(day.date)}</strong>
      {shown.map(({ name, value }) => (
        <div key={name}>
          {name}: {format(value(day))}
        </div>
      ))}
      {shown.length === 0 ? <div>No data</div> : null}
    </Paper>
  );
}
