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
  isAllowedToRegister: z.boolean().default(true).describe('Whether people may make an account (A2.2-03).'),
  isMultiProfileEnabled: z
    .boolean()
    .default(true)
    .describe('Whether an account may have several profiles (V1-12).'),
  isSwitchProfileModalEnabled: z
    .boolean()
    .default(true)
    .describe('Whether the profile chooser may open after sign-in (A4.6-01).'),
  isKidProfileCreationEnabled: z
    .boolean()
    .default(true)
    .describe('Whether profiles of children can be made (A5-25).'),
  isParentalControlEnabled: z
    .boolean()
    .default(true)
    .describe(
      "Whether there is parental control: without it nobody is asked for a code; a child's level holds all the same (V1-11).",
    ),
  levelAges: z
    .array(whole(0, 21))
    .length(LEVEL_AGES.length)
    .default([...LEVEL_AGES])
    .describe('Ages of the morality levels 1 to 6 (decision 27).'),
  maximumProfiles: whole(1, 50).default(6).describe('Most profiles of an account (A8.2, code -3054).'),
  maximumDevices: whole(0, 1000)
    .default(10)
    .describe('Most devices of an account; 0 for any number (A2.3-09, code -411).'),
  maximumSessions: whole(0, 1000)
    .default(4)
    .describe('Most devices of an account that play at once; 0 for any number (code -440).'),
  countries: z
    .array(z.string().refine(isCountry, 'must be a two-letter country code of ISO 3166'))
    .max(COUNTRIES.length)
    .refine((codes) => new Set(codes).size === codes.length, 'must have each country once')
    .default(['FR', 'BE', 'CH', 'LU', 'MC'])
    .describe('Countries that the service is for, which forms offer first, in this order (A3-34).'),
  deviceCookieDays: whole(1, 730)
    .default(ACCOUNTS.deviceCookieDays)
    .describe('Days that the device cookie lives (A9-01).'),
  resetPassword: section({
    mode: tolerant(RESET_PASSWORD_MODES, 'internal')
      .default('internal')
      .describe('Where a forgotten password is set anew; unknown: internal (V3-52, A2.2-04).'),
    url: address.default('').describe('Where to, with an external mode.'),
  }),
  consent: section({
    mode: tolerant(CONSENT_MODES, 'disabled')
      .default('disabled')
      .describe('When the consent popup asks; unknown: disabled (V3-52, A4.5).'),
    link: address.default('').describe('Address of the privacy policy; empty for the legal page.'),
  }),
  authentication: section({
    mode: z.enum(['password', 'sso']).default('password').describe('How people sign in (A4.3).'),
    issuer: site
      .default('')
      .describe('OpenID Connect provider of the single sign-on; empty for none (A4.3-01).'),
    clientId: z.string().max(200).default('').describe('What the provider calls this service.'),
    scopes: z
      .string()
      .regex(/^openid( [\w.:/-]+)*$/)
      .max(300)
      .default('openid email profile')
      .describe('What the provider is asked for.'),
    providerName: words.default({}).describe('What the provider is called on its button, by language.'),
    ssoUrl: address
      .default('')
      .describe(
        'Sign-in page in place of the provider’s. It gets a `state`; its token comes back with that by callback or app link, and the provider vouches for the token (A4.3-01).',
      ),
    accountManagementUrl: address
      .default('')
      .describe('Where an account is managed under single sign-on (A2.1-33).'),
  }),
})

/** Making an account (A5). */
export const registration = section({
  fields: z
    .array(z.enum(ACCOUNT_FIELDS))
    .default([])
    .describe('Fields of the form that may be left empty, besides first name, e-mail and password (A3-05).'),
  mandatory: z
    .array(z.enum(ACCOUNT_FIELDS))
    .default([])
    .describe('Fields that the form asks for too and that must be filled in (A5-12).'),
  repeat: z
    .array(z.enum(REPEATED_FIELDS))
    .default([])
    .describe('What is typed twice: the e-mail address, the password or both (A5-11).'),
  newsletter: z.boolean().default(true).describe('Whether the newsletter is offered (A3-06).'),
  passwordPolicy: section({
    minimumCharacters: whole(6, 64)
      .default(8)
      .describe('Fewest characters; the rule is always on (decision 43).'),
    upperCaseEnabled: z.boolean().default(true).describe('Whether a capital is needed (A5-09).'),
    numbersEnabled: z.boolean().default(true).describe('Whether a digit is needed (A5-09).'),
    alphabeticalEnabled: z.boolean().default(false).describe('Whether a letter is needed (A5-09).'),
    specialCharacterEnabled: z
      .boolean()
      .default(false)
      .describe('Whether a special character is needed (A5-10).'),
    specialCharacters: z
      .string()
      .min(1)
      .max(60)
      .default('!@#$%^&*()-_=+[]{};:,.?')
      .describe('The special characters that count (A5-10).'),
  }),
})

/** Offers and payment (A4.2, A4.8). */
export const offers = section({
  isOfferScreenEnable: z.boolean().default(true).describe('Whether there is the screen of offers (A2.2-02).'),
  subscription: z
    .enum(SUBSCRIPTION_STATES)
    .default('enabled')
    .describe('How subscriptions are sold (A4.2-01, decision 37).'),
  transactional: z
    .enum(TRANSACTIONAL_STATES)
    .default('enabled')
    .describe('How rentals are sold (A4.2-02, decision 37).'),
  externalUrl: address.default('').describe('Where offers are, with the state external (A4.8-11).'),
  billingRedirectionMode: tolerant(BILLING_REDIRECTIONS, 'same-tab')
    .default('same-tab')
    .describe('Where a billing page opens; unknown: same-tab (V3-52).'),
  mobilePayment: z.boolean().default(false).describe('Whether native apps sell (A4.8-12).'),
  isCardAskedForTrial: z
    .boolean()
    .default(true)
    .describe(
      'Whether a trial begins with a card only, which is charged when it ends; without one it may be left out.',
    ),
  rentalDisplayLimitHours: whole(0, 87_600)
    .default(8760)
    .describe(
      'Rentals of fewer hours say how many, and how many are left; longer ones and those without an end are shown as unlimited (A9-02).',
    ),
  globalPromotion: section({
    offerId: whole(0, 2_147_483_647)
      .default(0)
      .describe('The subscription that is sold cheaper, by its number in `offers list`; 0 for none (A3-31).'),
    discountEnabled: z
      .boolean()
      .default(false)
      .describe('Whether the promotion holds for who subscribes now (A3-31).'),
    discountedPrice: price
      .default('')
      .describe('The price of its first periods, VAT included, such as 4.99 (A3-31).'),
    discountPeriods: whole(1, 120)
      .default(1)
      .describe('How many periods cost so little; those after them cost the full price.'),
    discountDescription: words
      .default({})
      .describe('What its label says, by language; left out, that it is a special offer (A3-31).'),
  }),
  consumerRules: section({
    isAmountOnButton: z
      .boolean()
      .default(true)
      .describe('Whether the button that pays says how much (directive 2011/83/EU, article 8.2).'),
    isRenewalShown: z
      .boolean()
      .default(true)
      .describe(
        'Whether a cart says what renews, when and for how much (directive 2011/83/EU, article 8.2).',
      ),
    isWaiverAsked: z
      .boolean()
      .default(true)
      .describe(
        'Whether who buys what starts at once must waive the right of withdrawal (directive 2011/83/EU, article 16 m).',
      ),
    isCancellationConfirmed: z
      .boolean()
      .default(true)
      .describe('Whether a letter confirms a cancellation (Code de la consommation, L215-1-1).'),
    isRenewalReminded: z
      .boolean()
      .default(true)
      .describe(
        'Whether a letter comes before a plan of a year or more renews (Code de la consommation, L215-1).',
      ),
  }).describe('What the law of the European Union and of France asks of sales; each may be off elsewhere.'),
})

/** What other services want to know (V3-46, V3-47, decision 14). */
export const settings = section({
  receiver: z
    .string()
    .max(200)
    .default('')
    .describe("The cast receiver's application id, for applications that cast (V3-47)."),
  'share-url': address.default('').describe("Begins shared addresses; empty for the page's own (V3-46)."),
  settingCustomerId: z
    .string()
    .max(200)
    .default('')
    .describe('What applications name the operator by in their figures (V3-47).'),
  environmentId: z
    .string()
    .max(200)
    .default('')
    .describe('What they name the installation by in them (V3-47).'),
  errorReporting: site
    .default('')
    .describe('Sentry-compatible address (DSN) that errors of pages are reported to; empty for none (V8).'),
})
