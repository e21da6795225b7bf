import sharp from 'sharp'
import * as z from 'zod'

/** Contents of the packages of a service. */
export interface TelevisionApp {
  /** Reverse domain name, the same on all platforms, such as `com.example.watch`. */
  id: string
  /** `major.minor.patch`. */
  version: string
  name: string
  /** Publisher of the app. */
  vendor: string
  /** The address that the app opens. */
  address: URL
  /** Background colour until the first page, `#rrggbb`. */
  background: string
  /** The service's icon, as a file of any format that sharp reads. */
  icon: Uint8Array
}

/** Thrown for settings or a service from which no package can be made. The message says what to change. */
export class UnfitService extends Error {
  override readonly name = 'UnfitService'
}

/** Settings of the packages, as an operator writes them. */
export interface PackageSettings {
  service: string
  id: string
  version: string
  /** Default: the name of the service. */
  vendor?: string | undefined
}

/**
 * An id that every platform accepts: a reversed domain name. Android allows no hyphen, webOS no capital letter and no
 * underscore.
 */
const ID = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)+$/

/** Ids that LG keeps for its own apps (webOS TV, appinfo.json). */
const RESERVED = /^com\.(?:palm|palmdts|webos|lge)\b/

/** Three numbers that are not all 0. Their limits let one number express the version, as Android requires. */
const VERSION = /^(?!0\.0\.0$)(?:0|[1-9]\d?)\.(?:0|[1-9]\d?)\.(?:0|[1-9]\d{0,2})$/

const manifestSchema = z.object({
  name: z.string().min(1),
  background_color: z
    .string()
    .regex(/^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i)
    .transform(opaqueColor),
  icons: z.array(z.object({ src: z.string() })).min(1),
})

/**
 * Reads the name, the colour and the icon for the packages from the web app manifest of a running service. The service
 * writes that manifest from its configuration.
 *
 * @throws UnfitService
 */
export async function readService({ service, id, version, vendor }: PackageSettings): Promise<TelevisionApp> {
  if (!ID.test(id) || RESERVED.test(id))
    throw new UnfitService(
      `The id ${id} is not possible on every platform. Write the name of your domain backwards, in lower-case letters and digits, such as com.example.watch.`,
    )
  if (!VERSION.test(version))
    throw new UnfitService(`The version ${version} must be between 0.0.1 and 99.99.999.`)
  const origin = originOf(service)
  const address = new URL('/manifest.webmanifest', origin)
  const answer = manifestSchema.safeParse(await (await load(address)).json().catch(() => null))
  if (!answer.success) throw new UnfitService(`${address.href} is not the manifest of an Ondine service.`)
  const { name, background_color: background, icons } = answer.data
  const iconAddress = new URL(icons[0]?.src ?? '', origin)
  const icon = new Uint8Array(await (await load(iconAddress)).arrayBuffer())
  await requirePicture(icon, iconAddress)
  return {
    id,
    version,
    name,
    vendor: vendor ?? name,
    // The parameter turns on the layout of a television, also on sets with an unknown `User-Agent`.
    address: new URL('/?television=1', origin),
    background,
    icon,
  }
}

/**
 * Returns a colour of the configuration as `#rrggbb`, the only form that every platform reads. Drops an alpha value,
 * because nothing is behind the background.
 */
function opaqueColor(color: string): string {
  return color.length === 4 ? color.replaceAll(/[\da-f]/gi, '$&$&') : color.slice(0, 7)
}

/** Returns the origin of a service's address. */
function originOf(service: string): URL {
  const url = URL.parse(service)
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new UnfitService(`${service} is not the address of a service, such as https://watch.example.com.`)
  if (url.protocol === 'http:' && !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
    throw new UnfitService('The service needs https: televisions decrypt films only on secure pages.')
  return url
}

async function requirePicture(icon: Uint8Array, address: URL): Promise<void> {
  try {
    await sharp(icon).metadata()
  } catch (error) {
    throw new UnfitService(`The icon ${shown(address)} is no picture.`, { cause: error })
  }
}

async function load(address: URL): Promise<Response> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(30_000) })
    if (answer.ok) return answer
    throw new UnfitService(`${shown(address)} answers ${answer.status}.`)
  } catch (error) {
    if (error instanceof UnfitService) throw error
    throw new UnfitService(`${shown(address)} does not answer.`, { cause: error })
  }
}

/** Shortens the address of an icon that contains the picture itself. */
function shown({ href }: URL): string {
  return href.length > 100 ? `${href.slice(0, 100)}…` : href
}
