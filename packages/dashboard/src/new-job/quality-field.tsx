import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { DocsLink } from '../ui/docs-link.tsx';
import type { DocumentedTerm } from '../ui/documented-terms.ts';
import { Note } from '../ui/text.tsx';
import type { Parameter } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';

/** Parameters that set the quality, of which a request has one at most. */
const ways: Readonly<Record<string, string>> = {
  crf: 'Quality (CRF)',
  targetVmaf: 'Score (VMAF)',
  targetSizeMb: 'File size',
  bitrate: 'Bit rate',
};

/** Terms of parameters that need more than a description. */
export const parameterTerms: Readonly<Record<string, DocumentedTerm>> = { crf: 'CRF', targetVmaf: 'VMAF' };

export const qualityNames = Object.keys(ways);

type Props = {
  parameters: readonly Parameter[];
  values: Readonly<Record<string, unknown>>;
  errorOf: (name: string) => string | undefined;
  /** Replaces the values of all of them. */
  onChange: (values: Record<string, unknown>) => void;
};

const automatic = 'automatic';

/** How good the result has to be, in one of several ways. */
export function QualityField({ parameters, values, errorOf, onChange }: Props) {
  const given = parameters.find(({ name }) => values[name] !== undefined)?.name;
  const usual = parameters.find(({ defaultValue }) => defaultValue !== undefined)?.name;
  const [chosen, setChosen] = useState(usual ?? automatic);
  const way = given ?? chosen;
  const parameter = parameters.find(({ name }) => name === way);
  const choose = (name: string) => {
    setChosen(name);
    onChange({});
  };
  return (
    <>
      <Text size="sm" fw={600} mb={4} id="quality">
        Quality
      </Text>
      <SegmentedControl
        // Three choices are wider than a narrow phone.
        styles={{ root: { flexWrap: 'wrap' } }}
        size="xs"
        aria-labelledby="quality"
        value={way}
        data={[
          ...(usual === undefined ? [{ value: automatic, label: 'Automatic' }] : []),
          ...parameters.map(({ name }) => ({ value: name, label: ways[name] ?? name })),
        ]}
        onChange={choose}
        mb="sm"
      />
      {parameter === undefined ? (
        <Note>Looks good at a small size. Fits most uses.</Note>
      ) : (
        <>
          <ParameterField
            key={way}
            parameter={parameter}
            value={values[way]}
            error={errorOf(way)}
            onChange={(value) => onChange(value === undefined ? {} : { [way]: value })}
          />
          <DocsLink term={parameterTerms[way]} />
        </>
      )}
    </>
  );
}
