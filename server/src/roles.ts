/**
 * What a process of an installation does (docs/decisions/0083).
 * - `web` answers viewers and operators
 * - `worker` runs the jobs and the commands: imports, encoding, schedules, e-mails, renewals
 * - `ingest` receives live inputs
 */
export const ROLES = ['web', 'worker', 'ingest'] as const
export type Role = (typeof ROLES)[number]
export type Roles = ReadonlySet<Role>

/** The roles of the only process of an installation. */
export const ALL_ROLES: Roles = new Set(ROLES)

/** The roles of a process that runs one command. */
export const NO_ROLES: Roles = new Set()

/** Thrown for a text with a name that is no role. The message is for the operator. */
export class RolesError extends Error {
  override name = 'RolesError'
}

/**
 * Reads one or several roles, separated by commas.
 *
 * @throws RolesError
 */
export function readRoles(text: string): Roles {
  const names = text.split(',').map((name) => name.trim())
  return new Set(
    names.map((name) => {
      const role = ROLES.find((each) => each === name)
      if (role === undefined)
        throw new RolesError(
          `'${name}' is no role. Roles are ${ROLES.join(', ')}; separate several by commas.`,
        )
      return role
    }),
  )
}

/** Returns whether a process has all roles, so that it needs no other process. */
export function isAlone(roles: Roles): boolean {
  return ROLES.every((role) => roles.has(role))
}

/** Writes roles in the form that {@link readRoles} reads, in the order of {@link ROLES}. */
export function writeRoles(roles: Roles): string {
  return ROLES.filter((role) => roles.has(role)).join(',')
}
