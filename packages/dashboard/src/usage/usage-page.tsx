import '../styles/deferred.ts';
import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { formatBytes, formatDollars, formatDuration, formatNumber } from '@media-jobs/cli/formatting';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useApi } from '../api/api-context.tsx';
import { Callout } from '../ui/callout.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { MetadataUsage } from './metadata-usage.tsx';
import { OwnerLimits } from './owner-limits.tsx';
import classes from './usage.module.css';
import { isActive, monthForecast, type UsageDay, usageTotals } from './usage-days.ts';
import { dayRows, keyRows, presetRows, recipeRows } from './usage-rows.ts';
import { UsageTable } from './usage-table.tsx';

const Charts = lazy(() => import('./usage-charts.tsx').then(({ UsageCharts }) => ({ default: UsageCharts })));

export function UsagePage() {
  const { client } = useApi();
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await client.listKeys({ signal })).keys,
  });
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => client.getUsage({ query: { by: 'key,recipe,preset' }, signal }),
  });
  const { data } = usage;
  return (
    <Page
      title="Usage"
      lead="Jobs of the last 31 days, by the day of their creation in UTC. Deleted jobs count only in the cost."
    >
      <LoadProblem of="usage" query={usage} />
      {usage.isPending ? <Skeleton height={480} aria-label="Loading usage" /> : null}
      {data === undefined ? null : (
        <Stack gap="lg">
          {data.truncated ? (
            <Callout tone="warning" title="Not all jobs are counted">
              Only the newest 10,000 queued jobs are counted. Jobs of the first days may be missing.
            </Callout>
          ) : null}
          <Totals days={data.days} />
          {data.days.some(isActive) ? (
            <Suspense fallback={<Skeleton height={640} aria-label="Loading charts" />}>
              <Charts days={data.days} />
            </Suspense>
          ) : null}
          <OwnerLimits />
          <Section title="By recipe">
            <UsageTable title="Recipe" rows={recipeRows(data.days)} />
          </Section>
          {presetRows(data.days).length === 0 ? null : (
            <Section title="By preset">
              <UsageTable title="Preset" rows={presetRows(data.days)} />
            </Section>
          )}
          <Section title="By metadata">
            <MetadataUsage />
          </Section>
          <Section title="By API key">
            <LoadProblem of="the names of API keys" query={keys} />
            {keys.isPending ? (
              <Skeleton height={120} aria-label="Loading API keys" />
            ) : (
              <UsageTable title="API key" rows={keyRows(data.days, keys.data && namesOf(keys.data))} />
            )}
          </Section>
          <Section title="By day">
            <UsageTable title="Day" rows={dayRows(data.days)} />
          </Section>
        </Stack>
      )}
    </Page>
  );
}

function namesOf(keys: readonly { keyId: string; name: string }[]): ReadonlyMap<string, string> {
  return new Map(keys.map(({ keyId, name }) => [keyId, name]));
}

function Totals({ days }: { days: readonly UsageDay[] }) {
  const { jobs, mediaSeconds, computeSeconds, outputBytes, usd } = usageTotals(days);
  const figures = [
    ['Jobs', formatNumber(jobs)],
    ['Media', formatDuration(mediaSeconds)],
    ['Compute', formatDuration(computeSeconds)],
    ['Output', formatBytes(outputBytes)],
    ['Cost', formatDollars(usd)],
    ['Forecast for this month', formatDollars(monthForecast(days))],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, md: 3 }} component="dl" m={0}>
      {figures.map(([label, figure]) => (
        <div key={label} className={classes.figure}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <dd className={`${classes.number} numbers`}>{figure}</dd>
        </div>
      ))}
    </SimpleGrid>
  );
}
