import type { accountDetails } from '@ondine/contract/accounts'
import type { OutputOf } from '@ondine/contract/operation'
import type { Account } from '../accounts/accounts.repository.ts'

const MS = 1000

/** Presents an account to its holder (A3-01 to A3-03). */
export function presentAccount(row: Account, pendingEmail: string | null): OutputOf<typeof accountDetails> {
  const [birthYear = '', birthMonth = '', birthDay = ''] = row.birthdate
    .split('-')
    .map((part) => part.replace(/^0+/, ''))
  return {
    id: row.id,
    title: row.title,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    phoneNumber: row.phoneNumber,
    addressStreet: row.addressStreet,
    addressSecondStreet: row.addressSecondStreet,
    addressThirdStreet: row.addressThirdStreet,
    addressNumber: row.addressNumber,
    addressCity: row.addressCity,
    addressState: row.addressState,
    addressZip: row.addressZip,
    addressCountry: row.addressCountry,
    allowNews: row.allowNews,
    metadatas: { birthYear, birthMonth, birthDay },
    language: row.language,
    status: row.status,
    additionalInformation: {
      consent_status: row.consentStatus,
      consent_timestamp: row.consentAt === null ? null : Math.floor(row.consentAt / MS),
      consent_version: row.consentVersion,
    },
    hasPassword: row.passwordHash !== null,
    pendingEmail,
  }
}
