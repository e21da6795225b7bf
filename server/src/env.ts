import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { reportTarget } from '@ondine/contract/fault-report'
import * as z from 'zod'
import { readVatRates } from './money/vat-rates.ts'
import { plainIssue } from './plain-issue.ts'
import { parseStoreAddress } from './segments/store-address.ts'

const yes = z.stringbool({ error: 'must be yes or no' })

/** Matches an origin in the form that browsers send. Rejects `null`, the origin of sandboxed pages of any site. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@A-Z]+$/

/**
 * A package name and the SHA-256 fingerprint of its certificate, in the notation of keytool and the Play Console.
 */
const ANDROID_APP = /^\w+(?:\.\w+)+=[\dA-F]{2}(?::[\dA-F]{2}){31}$/

/** Returns whether a text is an IP address or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  return (
    version > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

/** Returns whether a text is a host name, in the form that addresses have after they are parsed. */
function isHost(text: string): boolean {
  return /^[a-z\d._-]+$/.test(text) && URL.parse(`http://${text}`)?.hostname === text
}

/** Returns whether an address has nothing after its host and port, except a single slash. */
function isOrigin(address: string): boolean {
  const url = URL.parse(address)
  return url?.href === `${url?.origin}/`
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/**
 * All settings of the service, by the name of their environment variable: type, default and description. `npm run
 * ondine -- doctor` prints these descriptions.
 */
export const SETTINGS = {
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(4000)
    .describe('TCP port of the service; 0 takes any free one.'),
  HOST: z
    .string()
    .min(1)
    .default('0.0.0.0')
    .describe('Address to listen on; 0.0.0.0 for all IPv4 addresses, :: for IPv6 too.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path))
    .describe('Folder of the embedded database, the media and the mail of an installation.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be an address such as postgres://user@host/database' })
    .optional()
    .describe('PostgreSQL to use instead of the database embedded in DATA_DIR.'),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(10)
    .describe('Connections to DATABASE_URL.'),
  MEDIA_STORE: z
    .string()
    .refine(
      (address) => parseStoreAddress(address) !== undefined,
      'must be an address such as s3://bucket/folder',
    )
    .optional()
    .describe(
      'S3-compatible store of the media, such as s3://bucket/folder, instead of DATA_DIR/media; needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    ),
  AWS_ENDPOINT_URL_S3: z
    .url({ protocol: /^https?$/ })
    .refine((url) => /^https?:\/\/[^@?#]*$/.test(url), 'must not contain credentials or a query')
    .optional()
    .describe('Address of the S3-compatible store; by default Amazon’s in AWS_REGION.'),
  AWS_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
    .default('us-east-1')
    .describe('Region of the bucket in MEDIA_STORE.'),
  AWS_ACCESS_KEY_ID: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
    .optional()
    .describe('Name of the credentials for MEDIA_STORE.'),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret of the credentials for MEDIA_STORE.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin, 'must be an origin such as https://tv.example.org, without a path')
    .optional()
    .describe(
      'Address that viewers use, for canonical links and links in e-mails. Host names of storefronts take precedence.',
    ),
  APP_ORIGINS: z
    .string()
    .default('')
    .transform(listed)
    .refine(
      (origins) => origins.every((origin) => ORIGIN.test(origin)),
      'must be origins such as capacitor://localhost, in lower-case letters and without a path',
    )
    .describe(
      'Origins of native apps whose pages call the service, separated by commas, such as capacitor://localhost. Pages of all other sites are refused.',
    ),
  IOS_APPS: z
    .string()
    .default('')
    .transform(listed)
    .refine(
      (apps) => apps.every((app) => /^[A-Z0-9]{10}\.[\w.-]+$/.test(app)),
      'must be ids of apps with the team, such as A1B2C3D4E5.tv.example.app',
    )
    .describe('Apps for iOS that links to this site open: team and bundle id, separated by commas.'),
  ANDROID_APPS: z
    .string()
    .default('')
    .transform(listed)
    .refine(
      (apps) => apps.every((app) => ANDROID_APP.test(app)),
      'must be names of packages with the SHA-256 fingerprint of their certificate, such as tv.example.app=14:6D:…',
    )
    .describe(
      'Apps for Android that links to this site open: name of the package, =, and the SHA-256 fingerprint of its certificate, separated by commas.',
    ),
  TRUST_PROXY: z
    .string()
    .default('no')
    .transform((text) => yes.safeParse(text).data ?? listed(text))
    .refine(
      (proxies) => typeof proxies === 'boolean' || (proxies.length > 0 && proxies.every(isNetwork)),
      'must be yes, no, or addresses and networks such as 10.0.0.0/8',
    )
    .describe(
      'Trust X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto. Set it only behind a proxy that writes all three: yes for one proxy, or the addresses and networks of all proxies, separated by commas.',
    ),
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
    .regex(/^[a-z0-9-]+(,[a-z0-9-]+)*$/, 'must be short names, separated by commas')
    .optional()
    .describe('Only these titles of the demonstration library, by their short names, separated by commas.'),
  DEMO_SECONDS: z.coerce
    .number()
    .int()
    .min(12)
    .max(120)
    .optional()
    .describe('Length of each film of the demonstration library.'),
  DEMO_LIVE: yes
    .default(true)
    .describe('Give the demonstration a live channel, which stores up to 1.5 GB, and recordings.'),
  INPUT_KEEPER: z
    .enum(['own', 'service'])
    .default('own')
    .describe(
      'Whether ingest starts the keeper of live inputs itself, or uses the service `ondine keep` only.',
    ),
  // At least 6 minutes: planning runs every minute, and the schedule must always reach beyond the next run.
  SCHEDULE_HOURS: z.coerce
    .number()
    .min(0.1)
    .max(24 * 14)
    .default(48)
    .describe('How far ahead the channels of the library are planned, in hours.'),
  RECORDING_EARLY_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(60)
    .describe('How long before its programme a recording begins, in seconds.'),
  RECORDING_LATE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(300)
    .describe('How long after its programme a recording ends, in seconds.'),
  RECORDING_MISSING_PERCENT: z.coerce
    .number()
    .min(0)
    .max(100)
    .default(20)
    .describe('A recording has failed when more than this share of its programme is missing, in percent.'),
  RECORDING_LOST_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3650)
    .default(90)
    .describe(
      'Days after which recordings are deleted if their account no longer holds the package of the channel.',
    ),
  RECORDING_KEEP_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .optional()
    .describe('Days after which finished recordings are deleted. Not set: they are kept.'),
  RECORDING_COPIES: z
    .enum(['shared', 'each'])
    .default('shared')
    .describe(
      'Whether viewers share one copy of a recording (shared), or new recordings have each a copy of their own (each).',
    ),
  TOKEN_HOURS: z.coerce
    .number()
    .positive()
    .max(24 * 90)
    .default(24)
    .describe('How long the tokens of a sign-in are valid, in hours. A registered device renews them.'),
  KEY_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .default(90)
    .describe('Days after which tokens are signed with a new key. Tokens signed with older keys stay valid.'),
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
      'How long an answer or a page for visitors may be reused, in seconds. With 0, data in memory also never lags behind the database.',
    ),
  OVERLOAD_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(1000)
    .describe(
      'Answer new calls with 503 while the mean delay of the event loop over 5 s exceeds this, in milliseconds; 0 for never.',
    ),
  IMAGE_CACHE_MB: z.coerce
    .number()
    .min(1)
    .max(10_000_000)
    .default(2000)
    .describe(
      'Size of the cache of resized pictures, in megabytes. The least recently used pictures are removed.',
    ),
  GUIDE_MAX_MB: z.coerce
    .number()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe('Largest guide (XMLTV) that is imported, in megabytes after decompression.'),
  GUIDE_PICTURES: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(5000)
    .describe(
      'How many programme pictures from guides are kept, those of the next programmes first. With 0, none are fetched.',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server for e-mails, such as smtp://name:password@mail.example.org:587. Without it, e-mails are written to files in DATA_DIR/outbox.',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'must be an e-mail address')
    .default('no-reply@localhost')
    .describe('Sender address of e-mails.'),
  SSO_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Client secret of the service at the identity provider of the single sign-on.'),
  SANDBOX_PAYMENTS: yes
    .default(false)
    .describe('Offer a simulated bank that moves no money. The demonstration always offers it.'),
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
      'Days after a declined renewal on which the card is charged again, separated by commas. Access lasts until the last of them.',
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
      'VAT by country and first day of the rate, in percent, separated by commas. The first country applies to all others.',
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
    .describe('Secret key of the Stripe account that receives payments; needs STRIPE_WEBHOOK_SECRET.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Secret with which Stripe signs its notices; needs STRIPE_SECRET_KEY.'),
  STRIPE_API_BASE: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address used instead of Stripe’s own, for tests. It receives the secret key.'),
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
      'Accept purchases from Apple’s sandbox too, which moves no money. For tests of the app and its review.',
    ),
  APPLE_REVOCATION_CHECKS: yes
    .default(true)
    .describe('Ask Apple whether the certificates of signed transactions were revoked.'),
  APPLE_ROOT_CERTIFICATE: z
    .string()
    .min(1)
    .optional()
    .describe('File of a certificate (PEM or DER) used instead of Apple’s root, for tests.'),
  GOOGLE_PACKAGE_NAME: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Package name of the app whose purchases in Google Play count; needs the other settings of Google.',
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
    .describe('Audience of the tokens in notices from Google Play.'),
  GOOGLE_NOTICE_ACCOUNT: z
    .string()
    .min(1)
    .optional()
    .describe('E-mail address of the service account that signs notices from Google Play.'),
  GOOGLE_API_BASE: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address used instead of Google’s own, for tests. Its keys are trusted.'),
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
    .describe('Secret of the publisher at the subscription service.'),
  CLEENG_CHECKOUT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Page on which people buy from the subscription service; it is shown in a frame.'),
  DRM_PROVIDER: z
    .enum(['clearkey', 'castlabs', 'axinom', 'doverunner'], {
      error: 'is an unsupported provider: it must be clearkey, castlabs, axinom or doverunner',
    })
    .default('clearkey')
    .describe(
      'Provider of licences: clearkey, which is built in, or castlabs, axinom or doverunner for Widevine and FairPlay.',
    ),
  DRM_API_BASE: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address used instead of those of castLabs or DoveRunner, for tests. It receives the secrets.'),
  CASTLABS_MERCHANT: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the organisation at DRMtoday (castLabs).'),
  CASTLABS_SECRET_ID: z.string().min(1).optional().describe('Id of the shared secret that signs tokens.'),
  CASTLABS_SECRET: z
    .string()
    .regex(/^([0-9a-fA-F]{2}){16,}$/, 'must be hexadecimal digits, at least 32')
    .optional()
    .describe('The shared secret, in hexadecimal digits.'),
  CASTLABS_USER: z.string().min(1).optional().describe('Account at DRMtoday that may store keys.'),
  CASTLABS_PASSWORD: z.string().min(1).optional().describe('Password of this account.'),
  CASTLABS_HARDWARE_TEMPLATE: z
    .string()
    .min(1)
    .optional()
    .describe('Template of rights that requires hardware security; needed if the configuration requires it.'),
  AXINOM_KEY_ID: z
    .guid('must be 32 hexadecimal digits in five groups with hyphens')
    .optional()
    .describe('Id of the communication key at Axinom DRM.'),
  AXINOM_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
    .optional()
    .describe('The communication key, in base64.'),
  AXINOM_WIDEVINE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the licence service for Widevine, as the management system of Axinom shows it.'),
  AXINOM_FAIRPLAY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the licence service for FairPlay.'),
  AXINOM_CERTIFICATE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the FairPlay certificate (DER).'),
  DOVERUNNER_SITE_ID: z.string().min(1).optional().describe('Id of the site at DoveRunner.'),
  DOVERUNNER_SITE_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32}$/, 'must be 32 characters')
    .optional()
    .describe('Key of the site, which encrypts policies.'),
  DOVERUNNER_ACCESS_KEY: z.string().min(1).optional().describe('Access key of the site, which signs tokens.'),
  LIVE_KEY_MINUTES: z.coerce
    .number()
    .int()
    .min(5)
    .max(1440)
    .default(60)
    .describe('How long live channels use a content key, in minutes. A new programme gets a new key anyway.'),
  OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform((text) => listed(text.toLowerCase()))
    .refine(
      (entries) => entries.every((entry) => isNetwork(entry) || isHost(entry)),
      'must be host names, addresses or networks, such as tuner.lan or 10.0.0.0/8',
    )
    .describe(
      'Private hosts, addresses or networks that the service may call, separated by commas, such as 10.0.0.0/8: for channel lists, guides and their pictures, relays, live inputs, ad servers, the identity provider, the DRM provider and the subscription service.',
    ),
  SENTRY_DSN: z
    .url({ protocol: /^https?$/, abort: true })
    .refine((dsn) => reportTarget(dsn) !== undefined, 'must be an address such as https://key@host/1')
    .optional()
    .describe('Sentry-compatible address that faults of the service are reported to.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('OpenTelemetry collector that receives the traces (OTLP over HTTP).'),
} as const

/** Groups of settings that must be set together or not at all. */
const TOGETHER: readonly (readonly (keyof typeof SETTINGS)[])[] = [
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['APPLE_BUNDLE_ID', 'APPLE_APP_ID'],
  ['GOOGLE_PACKAGE_NAME', 'GOOGLE_SERVICE_ACCOUNT', 'GOOGLE_NOTICE_AUDIENCE', 'GOOGLE_NOTICE_ACCOUNT'],
  ['CLEENG_PUBLISHER_ID', 'CLEENG_PUBLISHER_TOKEN', 'CLEENG_CHECKOUT_URL'],
]

/** Settings that each provider of DRM licences requires. */
const NEEDED: Readonly<Record<string, readonly (keyof typeof SETTINGS)[]>> = {
  castlabs: [
    'CASTLABS_MERCHANT',
    'CASTLABS_SECRET_ID',
    'CASTLABS_SECRET',
    'CASTLABS_USER',
    'CASTLABS_PASSWORD',
  ],
  axinom: [
    'AXINOM_KEY_ID',
    'AXINOM_KEY',
    'AXINOM_WIDEVINE_URL',
    'AXINOM_FAIRPLAY_URL',
    'AXINOM_CERTIFICATE_URL',
  ],
  doverunner: ['DOVERUNNER_SITE_ID', 'DOVERUNNER_SITE_KEY', 'DOVERUNNER_ACCESS_KEY'],
}

const schema = z.object(SETTINGS).superRefine((settings, { addIssue }) => {
  for (const names of TOGETHER) {
    const missing = names.filter((name) => settings[name] === undefined)
    if (missing.length === names.length) continue
    for (const name of missing)
      addIssue({ code: 'custom', path: [name], message: `is missing: ${names.join(', ')} go together` })
  }
  for (const name of NEEDED[settings.DRM_PROVIDER] ?? [])
    if (settings[name] === undefined)
      addIssue({
        code: 'custom',
        path: [name],
        message: `is missing: DRM_PROVIDER=${settings.DRM_PROVIDER} needs it`,
      })
  // The credentials may be set without MEDIA_STORE, because other programs use them too.
  if (settings.MEDIA_STORE !== undefined)
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const)
      if (settings[name] === undefined)
        addIssue({ code: 'custom', path: [name], message: 'is missing: MEDIA_STORE needs it' })
})

/** The settings of this process, parsed once. */
export type Settings = z.infer<typeof schema>

/** Lists all faults of the settings, one per line. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/**
 * Reads the settings from `environment`. An empty value counts as not set.
 *
 * @throws SettingsError that lists every fault by the name of its setting.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const present = Object.fromEntries(
    Object.keys(SETTINGS)
      .map((name) => [name, environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(present, { error: plainIssue })
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new SettingsError(`These settings are not valid:\n${faults.join('\n')}`)
}

/** Returns an address in which *** replaces the password. */
export function withoutPassword(url: string): string {
  const parsed = new URL(url)
  if (parsed.password) parsed.password = '***'
  return parsed.href
}
