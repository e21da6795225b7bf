/** The local storage of the browser, for what a viewer can do without. */
export const deviceStorage = guarded(() => localStorage)

/** The session storage of the tab, for what a viewer can do without. */
export const tabStorage = guarded(() => sessionStorage)

/**
 * Guards a storage of the browser. Where the storage is not available, it is empty and stores nothing: a browser that
 * blocks the data of sites throws a `SecurityError` at each access, a full storage throws at each write, and the server
 * has no storage.
 */
function guarded(storage: () => Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  return {
    getItem(key) {
      try {
        return storage().getItem(key)
      } catch {
        return null
      }
    },
    setItem(key, value) {
      try {
        storage().setItem(key, value)
      } catch {
        // The value is lost.
      }
    },
    removeItem(key) {
      try {
        storage().removeItem(key)
      } catch {
        // Nothing was stored.
      }
    },
  }
}
