import * as z from 'zod'

/** The settings of a build, from variables of the environment. */
const settings = z.object({
  /** The address of the service, as viewers open it. */
  ONDINE_SERVICE: z.url({ protocol: /^https?$/ }).transform((address) => new URL(address).origin),
  /** The key of the storefront. */
  ONDINE_IDENTITY_KEY: z.string().min(1),
  /** The name of the app on the device. */
  ONDINE_APP_NAME: z.string().min(1).default('Ondine'),
})

export type AppSettings = z.infer<typeof settings>

/** Reads the settings. @throws Error that names the wrong variables */
export function readAppSettings(environment: NodeJS.ProcessEnv): AppSettings {
  const read = settings.safeParse(environment)
  if (!read.success) throw new Error(`The app cannot be built:\n${z.prettifyError(read.error)}`)
  return read.data
}
