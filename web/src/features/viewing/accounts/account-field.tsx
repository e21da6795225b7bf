import { type AccountField, TITLES } from '@ondine/contract/account-names'
import { isLanguage } from '@ondine/contract/languages'
import { useQuery } from '@tanstack/react-query'
import { type FieldPath, type FieldPathByValue, type FieldValues, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { digitsOnly, phoneMask } from '../../../forms/masks.ts'
import { SelectInput } from '../../../forms/select-input.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import type { FormHandle } from '../../../forms/use-form.ts'
import { languageTitle } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { countriesQuery } from './countries.ts'

/** The `autocomplete` value of each field. */
const AUTO_COMPLETE: Partial<Record<AccountField, string>> = {
  lastName: 'family-name',
  phoneNumber: 'tel-national',
  birthdate: 'bday',
  addressStreet: 'address-line1',
  addressSecondStreet: 'address-line2',
  addressThirdStreet: 'address-line3',
  addressCity: 'address-level2',
  addressState: 'address-level1',
  addressZip: 'postal-code',
  addressCountry: 'country',
}

/**
 * Countries whose postcodes are five digits: France, its territories, and Monaco. Postcodes of other countries can
 * have letters, spaces or hyphens.
 */
const DIGIT_ZIPS: ReadonlySet<string> = new Set('FR GF GP MQ RE YT BL MF PM NC PF WF TF MC'.split(' '))

/**
 * A field of an account's form. The configuration decides whether the storefront shows or requires it (A3-05,
 * A5-16).
 */
export function AccountFieldInput<Values extends FieldValues>({
  form,
  name,
  isRequired,
}: {
  form: FormHandle<Values>
  name: AccountField & FieldPathByValue<Values, string>
  isRequired: boolean
}) {
  const { t } = useTranslation('register')
  const { language } = usePlace()
  const { languages } = useConfiguration()
  const field: AccountField = name
  const written = t(field === 'title' ? 'civility' : field)
  const label = isRequired ? written : t('optional', { label: written })
  const common = { form, name, label, isRequired, autoComplete: AUTO_COMPLETE[name] }
  if (name === 'title')
    return <SelectInput {...common} options={TITLES.map((title) => ({ id: title, title }))} />
  if (name === 'language') {
    const options = languages.languages
      .filter(isLanguage)
      .map((code) => ({ id: code, title: languageTitle(code, language) }))
    return <SelectInput {...common} options={options} />
  }
  if (name === 'addressCountry') return <CountryInput {...common} />
  if (name === 'phoneNumber') return <TextInput {...common} type="tel" inputMode="tel" mask={phoneMask} />
  if (name === 'addressZip') return <ZipInput {...common} />
  return <TextInput {...common} />
}

interface CommonProps<Values extends FieldValues> {
  form: FormHandle<Values>
  name: FieldPathByValue<Values, string>
  label: string
  isRequired: boolean
  autoComplete: string | undefined
}

/**
 * A postcode. Removes every character but digits (A5-16), except in a chosen country whose postcodes can have other
 * characters.
 */
function ZipInput<Values extends FieldValues>(props: CommonProps<Values>) {
  const { control } = props.form
  // `as`, because every form with a postcode has the fields of `AccountField`.
  const country = useWatch({ control, name: 'addressCountry' as FieldPath<Values> }) as string | undefined
  if (country === undefined || country === '' || DIGIT_ZIPS.has(country))
    return <TextInput {...props} inputMode="numeric" mask={digitsOnly} />
  return <TextInput {...props} autoCapitalize="characters" />
}

function CountryInput<Values extends FieldValues>(props: CommonProps<Values>) {
  const { data = [] } = useQuery(countriesQuery)
  return <SelectInput {...props} options={data.map(({ code, name }) => ({ id: code, title: name }))} />
}
