import * as z from 'zod'
import { address, price, section, site, tolerant, whole, words } from './configuration-fields.ts'
import {
  ACCOUNT_FIELDS,
  BILLING_REDIRECTIONS,
  CONSENT_MODES,
  REPEATED_FIELDS,
  RESET_PASSWORD_MODES,
  SUBSCRIPTION_STATES,
  TRANSACTIONAL_STATES,
} from './configuration-values.ts'
import { ACCOUNTS, LEVEL_AGES } from './constants.ts'
import { COUNTRIES, isCountry } from './countries.ts'

/** Accounts and profiles (A). */
export const accounts = section({
  isPrivateAccessEnabled: z
    .boolean()
    .default(false)
    .describe('Whether visitors must sign in first (V2.3-05).'),
  isAllowedToRegister: z.boolean().default(true).describe('Whether people may create an account (A2.2-03).'),
  isMultiProfileEnabled: z
    .boolean()
    .default(true)
    .describe(
      'Whether an account may have several profiles (V1-12). An account that already has several keeps them, and can still add more.',
    ),
  isSwitchProfileModalEnabled: z
    .boolean()
    .default(true)
    .describe('Whether the profile chooser may open after sign-in (A4.6-01).'),
  isKidProfileCreationEnabled: z
    .boolean()
    .default(true)
    .describe('Whether profiles of children can be created (A5-25).'),
  isParentalControlEnabled: z
    .boolean()
    .default(true)
    .describe(
      "Whether parental control is enabled. Without it, nobody is asked for a code, but a child's level still applies (V1-11).",
    ),
  levelAges: z
    .array(whole(0, 21))
    .length(LEVEL_AGES.length)
    .superRefine((ages, { addIssue }) => {
      const refuse = (index: number, message: string) => addIssue({ code: 'custom', path: [index], message })
      for (const [index, age] of ages.entries()) {
        const highest = LEVEL_AGES[index] ?? 0
        if (age < highest)
          refuse(
            index,
            `must be at least ${highest}, because titles rated up to ${highest} have level ${index + 1}`,
          )
        if (age < (ages[index - 1] ?? 0)) refuse(index, 'must be at least the age of the level before')
      }
    })
    .default([...LEVEL_AGES])
    .describe(
      `Ages that pages show for the morality levels 1 to 6, each at least the age up to which titles have the level: ${LEVEL_AGES.join(', ')} (spec 27).`,
    ),
  maximumProfiles: whole(1, 50)
    .default(6)
    .describe('Maximum number of profiles per account (A8.2, code -3054).'),
  maximumDevices: whole(0, 1000)
    .default(10)
    .describe('Maximum number of devices per account; 0 for no limit (A2.3-09, code -411).'),
  maximumSessions: whole(0, 1000)
    .default(4)
    .describe('Maximum number of devices per account that play at once; 0 for no limit (code -440).'),
  countries: z
    .array(z.string().refine(isCountry, 'must be a two-letter country code of ISO 3166'))
    .max(COUNTRIES.length)
    .refine((codes) => new Set(codes).size === codes.length, 'must have each country once')
    .default(['FR', 'BE', 'CH', 'LU', 'MC'])
    .describe('Countries that the service is for. Forms list them first, in this order (A3-34).'),
  pushEnabled: z
    .boolean()
    .default(false)
    .describe(
      'Whether viewers may switch on notifications, which reach them through the push service of their browser (docs/decisions/0097).',
    ),
  deviceCookieDays: whole(1, 730)
    .default(ACCOUNTS.deviceCookieDays)
    .describe('Lifetime of the device cookie, in days (A9-01).'),
  resetPassword: section({
    mode: tolerant(RESET_PASSWORD_MODES, 'internal')
      .default('internal')
      .describe('Where a forgotten password is reset; unknown: internal (V3-52, A2.2-04).'),
    url: address.default('').describe('Address of the reset page, with an external mode.'),
  }),
  consent: section({
    mode: tolerant(CONSENT_MODES, 'disabled')
      .default('disabled')
      .describe('When the consent popup asks; unknown: disabled (V3-52, A4.5).'),
    link: address.default('').describe('Address of the privacy policy; empty for the legal page.'),
  }),
  authentication: section({
    mode: z
      .enum(['password', 'sso'])
      .default('password')
      .describe(
        'How people sign in (A4.3). With sso, the service refuses sign-ins with a password, registrations and resets of passwords.',
      ),
    issuer: site
      .default('')
      .describe('OpenID Connect provider of the single sign-on; empty for none (A4.3-01).'),
    clientId: z.string().max(200).default('').describe('Client id of this service at the provider.'),
    scopes: z
      .string()
      .regex(/^openid( [\w.:/-]+)*$/)
      .max(300)
      .default('openid email profile')
      .describe('Scopes that the provider is asked for.'),
    providerName: words.default({}).describe('Name of the provider on its button, by language.'),
    ssoUrl: address
      .default('')
      .describe(
        'Sign-in page used instead of the provider’s. It receives a `state`, and returns it with a token by callback or app link. The provider verifies the token, so `issuer` and `clientId` are needed as well (A4.3-01).',
      ),
    accountManagementUrl: address
      .default('')
      .describe('Where an account is managed under single sign-on (A2.1-33).'),
  }),
})

/** Creation of accounts (A5). */
export const registration = section({
  fields: z
    .array(z.enum(ACCOUNT_FIELDS))
    // Older apps and open pages show the required last name only if this list contains it.
    .transform((fields) => [...new Set([...fields, 'lastName' as const])])
    .prefault([])
    .describe(
      'Optional fields of the form, besides first name, last name, e-mail and password (A3-05). Clients always receive lastName in it.',
    ),
  mandatory: z
    .array(z.enum(ACCOUNT_FIELDS))
    .default([])
    .describe('Additional mandatory fields of the form (A5-12).'),
  repeat: z
    .array(z.enum(REPEATED_FIELDS))
    .default([...REPEATED_FIELDS])
    .describe('Fields that are typed twice: the e-mail address, the password, both or none (A5-11).'),
  newsletter: z.boolean().default(true).describe('Whether the newsletter is offered (A3-06).'),
  passwordPolicy: section({
    minimumCharacters: whole(6, 64)
      .default(8)
      .describe('Minimum number of characters. This rule is always on (spec 43).'),
    upperCaseEnabled: z.boolean().default(true).describe('Whether a capital letter is required (A5-09).'),
    numbersEnabled: z.boolean().default(true).describe('Whether a digit is required (A5-09).'),
    alphabeticalEnabled: z.boolean().default(false).describe('Whether a letter is required (A5-09).'),
    specialCharacterEnabled: z
      .boolean()
      .default(false)
      .describe('Whether a special character is required (A5-10).'),
    specialCharacters: z
      .string()
      .min(1)
      .max(60)
      .default('!@#$%^&*()-_=+[]{};:,.?')
      .describe('Accepted special characters (A5-10).'),
  }),
})

/** Offers and payment (A4.2, A4.8). */
export const offers = section({
  isOfferScreenEnable: z.boolean().default(true).describe('Whether the screen of offers exists (A2.2-02).'),
  subscription: z
    .enum(SUBSCRIPTION_STATES)
    .default('enabled')
    .describe('How subscriptions are sold (A4.2-01, spec 37).'),
  transactional: z
    .enum(TRANSACTIONAL_STATES)
    .default('enabled')
    .describe('How rentals are sold (A4.2-02, spec 37).'),
  externalUrl: address.default('').describe('Address of the offers, with the state external (A4.8-11).'),
  billingRedirectionMode: tolerant(BILLING_REDIRECTIONS, 'same-tab')
    .default('same-tab')
    .describe('Where a billing page opens; unknown: same-tab (V3-52).'),
  mobilePayment: z.boolean().default(false).describe('Whether native apps sell (A4.8-12).'),
  isCardAskedForTrial: z
    .boolean()
    .default(true)
    .describe(
      'Whether a trial requires a card, which is charged when the trial ends. Otherwise the card is optional.',
    ),
  rentalDisplayLimitHours: whole(0, 87_600)
    .default(8760)
    .describe(
      'Rentals shorter than this show their hours and the hours left. Longer ones, and those without an end, are shown as unlimited (A9-02).',
    ),
  globalPromotion: section({
    offerId: whole(0, 2_147_483_647)
      .default(0)
      .describe('The subscription on promotion, by its number in `offers list`; 0 for none (A3-31).'),
    discountEnabled: z
      .boolean()
      .default(false)
      .describe('Whether the promotion applies to new subscriptions now (A3-31).'),
    discountedPrice: price
      .default('')
      .describe('Price of the first periods, VAT included, such as 4.99 (A3-31).'),
    discountPeriods: whole(1, 120)
      .default(1)
      .describe('Number of periods at the reduced price. Later periods cost the full price.'),
    discountDescription: words
      .default({})
      .describe('Text of its label, by language; by default, that it is a special offer (A3-31).'),
  }),
  consumerRules: section({
    isAmountOnButton: z
      .boolean()
      .default(true)
      .describe('Whether the payment button shows the amount (directive 2011/83/EU, article 8.2).'),
    isRenewalShown: z
      .boolean()
      .default(true)
      .describe(
        'Whether a cart shows what renews, when and at what price (directive 2011/83/EU, article 8.2).',
      ),
    isWaiverAsked: z
      .boolean()
      .default(true)
      .describe(
        'Whether buyers of content that starts at once must waive the right of withdrawal (directive 2011/83/EU, article 16 m).',
      ),
    isCancellationConfirmed: z
      .boolean()
      .default(true)
      .describe('Whether an e-mail confirms a cancellation (Code de la consommation, L215-1-1).'),
    isRenewalReminded: z
      .boolean()
      .default(true)
      .describe(
        'Whether an e-mail is sent before a plan of a year or more renews (Code de la consommation, L215-1).',
      ),
  }).describe(
    'Legal requirements for sales in the European Union and France. Each can be disabled elsewhere.',
  ),
})

/**
 * Settings for clients and services outside of the pages: casting, shared links, statistics, reports of errors (V3-46,
 * V3-47, spec 14).
 */
export const settings = section({
  receiver: z
    .string()
    .max(200)
    .default('')
    .describe("The cast receiver's application id, for applications that cast (V3-47)."),
  'share-url': address
    .default('')
    .describe("Beginning of shared addresses; empty for the page's own (V3-46)."),
  settingCustomerId: z
    .string()
    .max(200)
    .default('')
    .describe('Name of the operator in the statistics of applications (V3-47).'),
  environmentId: z
    .string()
    .max(200)
    .default('')
    .describe('Name of the installation in the statistics of applications (V3-47).'),
  errorReporting: site
    .default('')
    .describe('Sentry-compatible address (DSN) for errors of pages; empty for none (V8).'),
})
