import { createIsomorphicFn } from '@tanstack/react-start'
import { environment } from './environment.ts'
import { isNative } from './native.ts'

/**
 * The origin of the service, which the native app adds to addresses of the service, because the pages of the app have
 * a different origin. Empty in a browser. Undefined before the first use.
 */
let service: string | undefined

/**
 * Returns the address of a picture or file of the service for use in a page. In the native app, adds the origin of
 * the service to an address without a host. Elsewhere, returns the address unchanged.
 */
export const atService = createIsomorphicFn()
  .server((address: string): string => address)
  .client((address: string): string => {
    service ??= isNative() ? environment().origin : ''
    return address.startsWith('/') ? service + address : address
  })
