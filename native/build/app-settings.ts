import * as z from 'zod'

/** Settings of a build, from environment variables. */
const settings = z.object({
  /** Public address of the service. Only its origin is used. */
  ONDINE_SERVICE: z.url({ protocol: /^https?$/ }).transform((address) => new URL(address).origin),
  /** The API key of the storefront. */
  ONDINE_IDENTITY_KEY: z.string().min(1),
  /** The display name of the app on the device. */
  ONDINE_APP_NAME: z.string().min(1).default('Ondine'),
})

export type AppSettings = z.infer<typeof settings>

/** Reads the settings. @throws Error that names the wrong variables */
export function readAppSettings(environment: NodeJS.ProcessEnv): AppSettings {
  const read = settings.safeParse(environment)
  if (!read.success) throw new Error(`The app cannot be built:\n${z.prettifyError(read.error)}`)
  return read.data
}
