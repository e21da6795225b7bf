import { createIsomorphicFn } from '@tanstack/react-start'
import { environment } from './environment.ts'
import { isNative } from './native.ts'

/** The origin of the service in the native app, whose pages have another origin; empty in a browser. */
let service: string | undefined

/**
 * Returns the address at which a page finds a picture or file of the service. Only the native app changes addresses, and
 * only those without a host.
 */
export const atService = createIsomorphicFn()
  .server((address: string): string => address)
  .client((address: string): string => {
    service ??= isNative() ? environment().origin : ''
    return address.startsWith('/') ? service + address : address
  })
