import { NativeSelect } from '@mantine/core';
import { typed } from '../ui/typed.ts';
import type { ValueProps } from './field-props.ts';

/** Days as in the request: null until the job is deleted. `unset` is the label of no choice. */
type Props = ValueProps<number | null | undefined> & { unset?: string };

const usualDays = [1, 7, 30, 90, 365];

export function KeepFiles({ value: keepDays, error, unset = 'Default of the service', onChange }: Props) {
  const days = [...new Set([...usualDays, keepDays ?? 1])].toSorted((one, other) => one - other);
  return (
    <NativeSelect
      label="Keep files"
      description="From the end of the job on. You can download the files until then."
      error={error}
      data={[
        { value: '', label: unset },
        ...days.map((each) => ({ value: String(each), label: each === 1 ? '1 day' : `${each} days` })),
        { value: 'null', label: 'Until the job is deleted' },
      ]}
      {...typed(String(keepDays === undefined ? '' : keepDays), (text) =>
        onChange(text === '' ? undefined : (JSON.parse(text) as number | null)),
      )}
    />
  );
}
