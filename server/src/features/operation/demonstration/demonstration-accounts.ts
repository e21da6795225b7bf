import type { Context } from '../../../context.ts'
import { findAccountByEmail, setStatus } from '../../people/accounts/accounts.service.ts'
import { setParentalCode } from '../../people/parental/parental.service.ts'
import { type AccountDetails, createAccount } from '../../people/profiles/new-account.service.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'

/** Password of every demonstration account. Everybody knows it, so these accounts are open only while `DEMO` is on. */
export const DEMONSTRATION_PASSWORD = 'Ondine-2026!'

/** Parental code of every demonstration account. */
export const DEMONSTRATION_PARENTAL_CODE = '2580'

/** Names of the packages that the demonstration sells, by the keys of the packages. */
const DEMONSTRATION_PACKAGES = {
  films: { fra: 'Cinéma', eng: 'Cinema' },
  series: { fra: 'Séries', eng: 'Series' },
  channels: { fra: 'Chaînes', eng: 'Channels' },
  /** Contains no titles. Its holders see no advertisements. */
  'no-ads': { fra: 'Sans publicité', eng: 'No adverts' },
} as const

export type DemonstrationPackage = keyof typeof DEMONSTRATION_PACKAGES

interface DemonstrationAccount extends Omit<AccountDetails, 'password'> {
  /** Description, shown in the terminal. */
  is: string
  /** Packages that the account holds without a purchase. */
  holds: DemonstrationPackage[]
}

const ALL: DemonstrationPackage[] = ['films', 'series', 'channels', 'no-ads']

/** Accounts with purchases by {@link DemonstrationPurchases}: the first has a plan, the second has rentals. */
export const SUBSCRIBER = 'subscriber@ondine.test'
export const RENTER = 'renter@ondine.test'

export const DEMONSTRATION_ACCOUNTS: readonly DemonstrationAccount[] = [
  {
    email: SUBSCRIBER,
    is: 'Cinema and series with the channels option, receipts, three profiles, one of a child',
    firstName: 'Camille',
    lastName: 'Delmas',
    holds: [],
    profiles: [
      { name: 'Camille', avatarId: 1 },
      { name: 'Noé', language: 'eng', avatarId: 5 },
      { name: 'Lou', kid: true, maximumMoralityLevel: 2, avatarId: 3 },
    ],
  },
  {
    email: RENTER,
    is: 'no subscription, a rental that runs and one that is over, receipts',
    firstName: 'Alix',
    lastName: 'Moreau',
    holds: [],
  },
  {
    email: 'adverts@ondine.test',
    is: 'all films, with advertisements; none for the profile of a child',
    firstName: 'Sacha',
    lastName: 'Leroy',
    holds: ['films'],
    profiles: [
      { name: 'Sacha', avatarId: 2 },
      { name: 'Zoé', kid: true, maximumMoralityLevel: 2, avatarId: 4 },
    ],
  },
  {
    email: 'suspended@ondine.test',
    is: 'suspended, with all packages',
    firstName: 'Maxime',
    lastName: 'Roche',
    status: 'SUSPENDED',
    holds: ALL,
  },
]

/** Recording time that the package of the channels includes, in hours. */
const RECORDING_HOURS = 50

/**
 * Creates the missing packages of the demonstration, and the missing accounts in each storefront. Opens accounts that
 * {@link closeDemonstrationAccounts} has closed.
 *
 * @returns the ids of the packages
 */
export async function ensureDemonstrationAccounts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  storefronts: readonly { id: number }[],
): Promise<Record<DemonstrationPackage, number>> {
  const packages = {
    films: await ensurePackage(db, 'films', DEMONSTRATION_PACKAGES.films),
    series: await ensurePackage(db, 'series', DEMONSTRATION_PACKAGES.series),
    channels: await ensurePackage(db, 'channels', DEMONSTRATION_PACKAGES.channels, RECORDING_HOURS),
    'no-ads': await ensurePackage(db, 'no-ads', DEMONSTRATION_PACKAGES['no-ads']),
  }
  for (const storefront of storefronts) {
    for (const { is: _, holds, ...details } of DEMONSTRATION_ACCOUNTS) {
      const { account, created } = await createAccount(db, storefront.id, {
        ...details,
        password: DEMONSTRATION_PASSWORD,
      })
      if (account.status === 'INACTIVE') await setStatus(db, account.id, details.status ?? 'ACTIVE')
      if (!created) continue
      const code = { code: DEMONSTRATION_PARENTAL_CODE, current: undefined }
      await setParentalCode(db, account.id, code, clock.now())
      for (const held of holds) {
        await addGrant(db, {
          accountId: account.id,
          opens: { packageId: packages[held] },
          source: 'operator',
          sourceId: 'demonstration',
          from: clock.now(),
          to: null,
        })
      }
    }
  }
  return packages
}

/** Closes the accounts of the demonstration: nobody can sign in, and sign-ins end. */
export async function closeDemonstrationAccounts({
  db,
  storefronts,
}: Pick<Context, 'db' | 'storefronts'>): Promise<void> {
  for (const { id } of storefronts.ofDemonstration())
    for (const { email } of DEMONSTRATION_ACCOUNTS) {
      const account = await findAccountByEmail(db, id, email)
      if (account) await setStatus(db, account.id, 'INACTIVE')
    }
}
