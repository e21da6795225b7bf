import * as z from 'zod'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { text } from './wire.ts'

/** Length of a P-256 public key as a point: one byte and two coordinates of 32 bytes (SEC 1, section 2.3.3). */
const POINT_BYTES = 65
/** Length of the authentication secret of a subscription in bytes (RFC 8291, section 3.2). */
const SECRET_BYTES = 16

/** Maximum length of the address of a subscription, in characters. */
const ENDPOINT_MAX = 2000

const endpoint = text(ENDPOINT_MAX)

function base64url(bytes: number) {
  const length = Math.ceil((bytes * 8) / 6)
  return z.string().regex(new RegExp(`^[\\w-]{${length}}$`), `must be ${bytes} bytes in base64url`)
}

/** A subscription of a browser at its push service. */
const SUBSCRIPTION = {
  /** Address at the push service of the browser. */
  endpoint,
  /** `p256dh` of the subscription (RFC 8291). */
  publicKey: base64url(POINT_BYTES),
  /** `auth` of the subscription. */
  secret: base64url(SECRET_BYTES),
}

/**
 * Returns the data that a browser needs to subscribe to notifications, and whether the browser shows the profile's
 * notifications.
 */
export const pushState = operation({
  method: 'POST',
  path: '/proxy/pushState',
  as: 'profile',
  child: 'allowed',
  summary: 'The key for subscribing to notifications, and whether this browser shows them for the profile.',
  input: z.object({
    /** Address of the subscription of the browser, if it has one. */
    endpoint: endpoint.optional(),
  }),
  output: z.object({
    /** Public key of the service, for `applicationServerKey` (RFC 8292), in base64url. */
    publicKey: z.string(),
    isOn: z.boolean(),
  }),
  errors: ['notFound'],
})

/** Enables the profile's notifications in the calling browser. The browser must be a registered device. */
export const subscribePush = operation({
  method: 'POST',
  path: '/proxy/subscribePush',
  as: 'profile',
  summary: 'Shows the notifications of the profile in this browser.',
  input: z.object({ ...SUBSCRIPTION, parentalProof }),
  output: z.null(),
  errors: ['notFound', 'invalidAccessCode'],
})

/**
 * Replaces the subscription of the calling browser, for all profiles whose notifications it shows. A browser
 * replaces its subscription by itself, possibly without naming the old subscription. So the service identifies the
 * browser by its device.
 */
export const renewPush = operation({
  method: 'POST',
  path: '/proxy/renewPush',
  as: 'account',
  child: 'allowed',
  summary: 'Replaces the subscription of this browser to notifications.',
  input: z.object(SUBSCRIPTION),
  output: z.object({
    /** Whether a profile uses the subscription. If not, the browser ends the subscription. */
    isUsed: z.boolean(),
  }),
})

/** Disables the profile's notifications in the calling browser. Repeated calls succeed. */
export const unsubscribePush = operation({
  method: 'POST',
  path: '/proxy/unsubscribePush',
  as: 'profile',
  child: 'allowed',
  summary: 'Ends the notifications of the profile in this browser.',
  input: z.object({ endpoint }),
  output: z.object({
    /** Whether other profiles of the account use the same subscription. */
    isUsedByOthers: z.boolean(),
  }),
  errors: [],
})

/** A message to a browser, as the service worker receives it. */
export interface PushMessage {
  /** The profile that the notification is for. */
  profileId: number
  /** Language tag of the texts. */
  language: string
  shown: NotificationTexts
  /**
   * Texts without a title's name. Shown while another profile is active in the browser, or nobody is signed in.
   */
  withheld: NotificationTexts
  /** A newer message with the same tag replaces an earlier one. */
  tag: string
  /** Path of the page that a click opens. */
  path: string
}

interface NotificationTexts {
  title: string
  body: string
}
