import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { type FieldProps, inputWrapperOrder } from './field-props.ts';
import { JsonField } from './json-field.tsx';
import { ListField } from './list-field.tsx';
import { parseChoice, parseScalar } from './parameter-value.ts';
import { SliderField } from './slider-field.tsx';
import type { Source } from './source.ts';
import { UrlField } from './url-field.tsx';

/** The control of one parameter, as its schema wants it. */
export function ParameterField(props: FieldProps) {
  const { parameter, value, error, onChange } = props;
  const { label, description, kind, defaultValue, choices, minimum, maximum, step, required } = parameter;
  const common = { label, description, error, required, inputWrapperOrder };
  const placeholder = defaultValue === undefined ? 'Automatic' : String(defaultValue);
  switch (kind) {
    case 'slider':
      return <SliderField {...props} />;
    case 'list':
      return <ListField {...props} />;
    case 'json':
      return <JsonField {...props} />;
    case 'url':
      return (
        <UrlField
          {...common}
          value={(value ?? '') as Source}
          onChange={(url) => onChange(url || undefined)}
        />
      );
    case 'switch':
      return (
        <Switch
          label={label}
          description={description}
          error={error}
          checked={Boolean(value ?? defaultValue)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked === defaultValue ? undefined : checked)
          }
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          value={String(value ?? defaultValue ?? '')}
          data={[
            ...(defaultValue === undefined
              ? [{ value: '', label: required ? 'Choose one' : 'Automatic' }]
              : []),
            ...choices.map((choice) => ({
              value: String(choice),
              label: choice === defaultValue ? `${choice} (default)` : String(choice),
            })),
          ]}
          onChange={({ currentTarget }) => onChange(parseChoice(currentTarget.value, parameter))}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          placeholder={placeholder}
          step={step}
          {...(minimum === undefined ? {} : { min: minimum })}
          {...(maximum === undefined ? {} : { max: maximum })}
          // What is out of range is said, not silently put right.
          clampBehavior="none"
          onChange={(next) => onChange(next === '' ? undefined : Number(next))}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          value={value === undefined ? '' : String(value)}
          placeholder={placeholder}
          onChange={({ currentTarget }) => onChange(parseScalar(currentTarget.value, parameter))}
        />
      );
  }
}
