import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { useForm } from '../../../forms/use-form.ts'
import { SUBSCRIBER } from '../../content/catalogue/asset-builder.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { AccountFieldInput } from './account-field.tsx'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

function Field({ name, country }: { name: 'addressZip' | 'phoneNumber'; country: string }) {
  const form = useForm({
    initial: { addressZip: '', phoneNumber: '', addressCountry: country },
    schema: async () => await Promise.reject(new Error('The test sends nothing.')),
    onSubmit: async () => {},
  })
  return createElement(
    AccountFieldInput<{ addressZip: string; phoneNumber: string; addressCountry: string }>,
    {
      form,
      name,
      isRequired: false,
    },
  )
}

function draw(name: 'addressZip' | 'phoneNumber', country: string): string {
  const storefront = { name: 'Ondine', demonstration: false }
  return drawAs(createElement(Field, { name, country }), {
    session: { ...SUBSCRIBER, profile: null, storefront, now: 1_795_212_000 },
    configuration: DEFAULT_CONFIGURATION,
    queries: new QueryClient(),
  })
}

test.each(['FR', 'RE', ''])('A5-16 a postcode of the country "%s" has digits only', (country) => {
  expect(draw('addressZip', country)).toContain('inputMode="numeric"')
})

test.each(['GB', 'CA'])('a postcode of the country "%s" can have letters', (country) => {
  const field = draw('addressZip', country)
  expect(field).not.toContain('inputMode="numeric"')
  expect(field).toContain('autoCapitalize="characters"')
})

test('a browser fills in a telephone number without the prefix of its country', () => {
  expect(draw('phoneNumber', 'FR')).toContain('autoComplete="tel-national"')
})
