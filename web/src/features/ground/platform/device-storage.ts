/**
 * The local storage of the browser, for what a viewer can do without. Where it is not available, it is empty and stores
 * nothing: a browser that blocks the data of sites throws a `SecurityError` at each access, and a full storage throws
 * at each write.
 */
export const deviceStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  setItem(key, value) {
    try {
      localStorage.setItem(key, value)
    } catch {
      // The value is lost.
    }
  },
  removeItem(key) {
    try {
      localStorage.removeItem(key)
    } catch {
      // Nothing was stored.
    }
  },
}
