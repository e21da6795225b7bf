import { resolve } from 'node:path'
import * as z from 'zod'
import { readVatRates } from './features/payments/vat-rates.ts'

const yes = z.stringbool()

function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/**
 * Every setting of the service: its type, its default, what it is for. `npm run ondine -- doctor` and the operating guide
 * list them from here. Names are environment variables.
 */
export const SETTINGS = {
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(4000)
    .describe('TCP port of the service; 0 takes any free one.'),
  HOST: z.string().min(1).default('0.0.0.0').describe('Address to listen on.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path))
    .describe('Folder of the embedded database, the media and the mail of an installation.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL to use instead of the database embedded in DATA_DIR.'),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(10)
    .describe('Connections to DATABASE_URL.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address that viewers use, for canonical links and links in e-mails, beside the hosts of storefronts.',
    ),
  APP_ORIGINS: z
    .string()
    .default('')
    .transform(listed)
    .describe(
      'Origins of native apps whose pages call the service, separated by commas, such as capacitor://localhost. Pages of all other sites are refused.',
    ),
  TRUST_PROXY: yes
    .default(false)
    .describe('Believe X-Forwarded-* headers; set it only behind a proxy that writes them.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least severe log lines to write.'),
  LOG_FORMAT: z
    .enum(['pretty', 'json'])
    .optional()
    .describe('Log lines for people or for machines; by default pretty in a terminal.'),
  DEMO: yes.default(false).describe('Make and import the demonstration library and its accounts.'),
  DEMO_TITLES: z
    .string()
    .regex(/^[a-z0-9-]+(,[a-z0-9-]+)*$/)
    .optional()
    .describe('Only these titles of the demonstration library, by their short names, separated by commas.'),
  DEMO_SECONDS: z.coerce
    .number()
    .int()
    .min(12)
    .max(120)
    .optional()
    .describe('Length of each film of the demonstration library.'),
  // Planning comes round each minute: some minutes have to be there in between.
  SCHEDULE_HOURS: z.coerce
    .number()
    .min(0.1)
    .max(24 * 14)
    .default(48)
    .describe('How far ahead the channels of the library are planned, in hours.'),
  TOKEN_HOURS: z.coerce
    .number()
    .positive()
    .max(24 * 90)
    .default(24)
    .describe('How long a sign-in lasts, in hours.'),
  KEY_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .default(90)
    .describe('After so many days tokens are signed with a new key; what older ones have signed holds.'),
  SIGN_IN_ATTEMPTS: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .describe('Sign-in attempts a minute, by client address and user name.'),
  CATALOGUE_CACHE_SECONDS: z.coerce
    .number()
    .min(0)
    .max(60)
    .default(1)
    .describe(
      'How long an answer or a page for visitors may be reused; 0 also lets nothing lag behind the database.',
    ),
  OVERLOAD_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(1000)
    .describe(
      'Answer new calls with 503 while the event loop is later than this in the mean of 5 s, in milliseconds; 0 for never.',
    ),
  IMAGE_CACHE_MB: z.coerce
    .number()
    .min(1)
    .max(10_000_000)
    .default(2000)
    .describe(
      'Room for pictures at the sizes they were asked for, in megabytes; what was not used for longest makes way.',
    ),
  GUIDE_MAX_MB: z.coerce
    .number()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe('Largest guide (XMLTV) that is imported, unpacked, in megabytes.'),
  GUIDE_PICTURES: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(5000)
    .describe(
      'How many pictures that guides name for their programmes are kept, of those that are on next; with 0 none is fetched.',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server that letters go through, such as smtp://name:password@mail.example.org:587; without it they are files in DATA_DIR/outbox.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'must be an e-mail address')
    .default('no-reply@localhost')
    .describe('Address that letters come from.'),
  SSO_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('What the service proves itself with at the identity provider of the single sign-on.'),
  SANDBOX_PAYMENTS: yes
    .default(false)
    .describe('Let people pay at a bank in which no money moves; with the demonstration they always can.'),
  RENEWAL_RETRY_DAYS: z
    .string()
    .regex(/^[1-9]\d?(,[1-9]\d?){0,9}$/, 'must be days, separated by commas')
    .default('1,3,5,7')
    .transform((text) =>
      listed(text)
        .map(Number)
        .sort((one, other) => one - other),
    )
    .describe(
      'Days after a declined renewal on which its card is charged again, separated by commas. Access is kept until the last of them.',
    ),
  VAT_RATES: z
    .string()
    .default('FR 2014-01-01 20')
    .transform((written, context) => {
      const rates = readVatRates(listed(written))
      if (rates) return rates
      const message = 'must be rates such as FR 2014-01-01 20, with commas between them'
      context.issues.push({ code: 'custom', message, input: written })
      return z.NEVER
    })
    .describe(
      'VAT by country and the day from which a rate holds, in percent, separated by commas; the first country stands for all others.',
    ),
  SELLER: z
    .string()
    .default('Ondine')
    .transform((written) => written.split('|').map((line) => line.trim()))
    .describe('Name, address and VAT number of the seller on receipts, with | between the lines.'),
  STRIPE_SECRET_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Secret key of the account at Stripe that people pay to; needs STRIPE_WEBHOOK_SECRET.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('What Stripe signs its notices with; needs STRIPE_SECRET_KEY.'),
  STRIPE_API_BASE: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address in the place of Stripe’s own, for tests. It is sent the secret key.'),
  APPLE_BUNDLE_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Bundle id of the app whose purchases in the App Store count; needs APPLE_APP_ID.'),
  APPLE_APP_ID: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('Number of the app in the App Store; needs APPLE_BUNDLE_ID.'),
  APPLE_SANDBOX: yes
    .default(false)
    .describe(
      'Take purchases of Apple’s sandbox too, in which no money moves: for tests of the app and its review.',
    ),
  APPLE_REVOCATION_CHECKS: yes
    .default(true)
    .describe('Ask Apple whether the certificates of signed transactions were revoked.'),
  APPLE_ROOT_CERTIFICATE: z
    .string()
    .min(1)
    .optional()
    .describe('File of a certificate (PEM or DER) in the place of Apple’s root, for tests.'),
  GOOGLE_PACKAGE_NAME: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Package name of the app whose purchases in Google Play count; needs the settings of Google beside it.',
    ),
  GOOGLE_SERVICE_ACCOUNT: z
    .string()
    .min(1)
    .optional()
    .describe('File of the key (JSON) of the service account that may read purchases in Google Play.'),
  GOOGLE_NOTICE_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe('Audience of the tokens that notices of Google Play come with.'),
  GOOGLE_NOTICE_ACCOUNT: z
    .string()
    .min(1)
    .optional()
    .describe('E-mail address of the service account that notices of Google Play are signed with.'),
  GOOGLE_API_BASE: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address in the place of Google’s own, for tests. Its keys are believed.'),
  CLEENG_API_BASE: z
    .url({ protocol: /^https?$/ })
    .default('https://mediastoreapi.cleeng.com')
    .describe(
      'Address of the subscription service (Cleeng MediaStore API); https://mediastoreapi-sandbox.cleeng.com to try it.',
    ),
  CLEENG_PUBLISHER_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Publisher id at the subscription service; needs CLEENG_PUBLISHER_TOKEN and CLEENG_CHECKOUT_URL.',
    ),
  CLEENG_PUBLISHER_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
    .optional()
    .describe('Secret that the publisher proves itself with at the subscription service.'),
  CLEENG_CHECKOUT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Page on which people buy from the subscription service; it is shown in a frame.'),
  OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform(listed)
    .describe(
      'Private hosts, addresses or networks that lists of channels, guides and relays may lead to, separated by commas, such as 10.0.0.0/8.',
    ),
  SENTRY_DSN: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Sentry-compatible address that faults of the service are reported to.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('OpenTelemetry collector that gets the traces (OTLP over HTTP).'),
} as const

/** Settings that are set together or not at all. */
const TOGETHER: readonly (readonly (keyof typeof SETTINGS)[])[] = [
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['APPLE_BUNDLE_ID', 'APPLE_APP_ID'],
  ['GOOGLE_PACKAGE_NAME', 'GOOGLE_SERVICE_ACCOUNT', 'GOOGLE_NOTICE_AUDIENCE', 'GOOGLE_NOTICE_ACCOUNT'],
  ['CLEENG_PUBLISHER_ID', 'CLEENG_PUBLISHER_TOKEN', 'CLEENG_CHECKOUT_URL'],
]

const schema = z.object(SETTINGS).superRefine((settings, { addIssue }) => {
  for (const names of TOGETHER) {
    const missing = names.filter((name) => settings[name] === undefined)
    if (missing.length === names.length) continue
    for (const name of missing)
      addIssue({ code: 'custom', path: [name], message: `is missing: ${names.join(', ')} go together` })
  }
})

/** The settings of this process, parsed once. */
export type Settings = z.infer<typeof schema>

/** All faults of the settings at once, one line each. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/**
 * Reads the settings out of `environment`. An empty value counts as not set.
 *
 * @throws SettingsError that lists every fault by the setting's name.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const present = Object.fromEntries(
    Object.keys(SETTINGS)
      .map((name) => [name, environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(present)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new SettingsError(`These settings are not valid:\n${faults.join('\n')}`)
}
