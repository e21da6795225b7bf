import { hash, type Options, verify } from '@node-rs/argon2'

/**
 * The cost that OWASP recommends (19 MiB, 2 passes, 1 lane). The library's default algorithm is argon2id, and it works
 * outside the main thread.
 */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hash to check a password against when the user name is unknown, so that both cases take the same time. */
const NOBODY = hash('nobody has this password', COST)

export async function hashPassword(password: string): Promise<string> {
  return await hash(password, COST)
}

/** Returns whether `password` matches `hashed`. Without a hash the result is false, after the same time. */
export async function checkPassword(hashed: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(hashed ?? (await NOBODY), password)
  return typeof hashed === 'string' && matches
}
