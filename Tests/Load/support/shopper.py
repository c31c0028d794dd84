"""A shop's customers: which action comes next, and what their carts and favourites must be after a log of such actions."""
import json

TAB_NAMES = ("products", "cart", "profile")
SORTS = ("title", "priceAscending", "priceDescending", "newest", "rating")
WORDS = ("dust", "sea", "winter", "garden", "letters", "salt", "clock", "river", "north", "bread")
QUANTITY_MAX = 99
# Two adds of the same quantity to one line within this time may or may not count as a double tap: the fold leaves such carts out.
DOUBLE_TAP_MS = 2_000

INTENTIONS = {
    "cart/addItem", "cart/setQuantity", "cart/removeItem", "cart/clear", "favorites/toggle", "catalog/search",
    "catalog/setFilter", "catalog/setSort", "catalog/clearFilters", "ui/setTab", "ui/showToast",
}


class Shopper:
    """What one account's customer believes to have in the cart; enough to ask mostly for what can be done."""

    def __init__(self, random, products, categories):
        self.random, self.products, self.categories = random, products, categories
        self.cart = set()

    def action(self):
        """The next action as (type, payload)."""
        dice = self.random.random()
        choose = self.random.choice
        if dice < 0.34 or (dice < 0.58 and not self.cart):
            product = choose(self.products)
            self.cart.add(product)
            return "cart/addItem", {"productID": product, "quantity": self.random.randint(1, 3)}
        if dice < 0.48:
            return "cart/setQuantity", {"productID": choose(sorted(self.cart)), "quantity": self.random.randint(1, 9)}
        if dice < 0.56:
            product = choose(sorted(self.cart))
            self.cart.discard(product)
            return "cart/removeItem", {"productID": product}
        if dice < 0.58:
            self.cart.clear()
            return "cart/clear", {}
        if dice < 0.74:
            return "favorites/toggle", {"productID": choose(self.products)}
        if dice < 0.86:
            return "catalog/search", {"query": " ".join(self.random.sample(WORDS, 2))}
        if dice < 0.90:
            return "catalog/setFilter", {"category": choose(self.categories), "inStockOnly": dice < 0.88}
        if dice < 0.93:
            return "catalog/setSort", {"by": choose(SORTS)}
        if dice < 0.95:
            return "catalog/clearFilters", {}
        if dice < 0.98:
            return "ui/setTab", {"tab": choose(TAB_NAMES)}
        return "ui/showToast", {"message": choose(WORDS), "kind": "info", "durationMs": 1500}


def encode(actions):
    """The body of POST /actions: one action as an object, several as an array."""
    values = [{"type": kind, "payload": payload} if payload else {"type": kind} for kind, payload in actions]
    return json.dumps(values[0] if len(values) == 1 else values, separators=(",", ":")).encode()


def same_payload(sent, logged):
    """Whether a logged payload says what was sent; an absent member and a null one are the same."""
    strip = lambda payload: {name: value for name, value in (payload or {}).items() if value is not None}
    return strip(sent) == strip(logged)


def fold(log):
    """Favourites and cart after a log of accepted actions, computed from the rules alone.

    Returns (sorted favourite ids, {product: quantity}), with None for the cart where a double tap may or may not have counted.
    """
    favorites, cart, last_adds, is_certain = set(), {}, {}, True
    for entry in log:
        kind, payload, at = entry["type"], entry.get("payload") or {}, entry["at"]
        product = payload.get("productID")
        if kind == "favorites/toggle":
            favorites ^= {product}
        elif kind == "cart/addItem":
            quantity = payload.get("quantity", 1)
            then, added = last_adds.get(product, (-DOUBLE_TAP_MS, None))
            if added == quantity and at - then < DOUBLE_TAP_MS:
                is_certain = False
            last_adds[product] = (at, quantity)
            cart[product] = min(QUANTITY_MAX, cart.get(product, 0) + quantity)
        elif kind == "cart/setQuantity":
            cart[product] = payload["quantity"]
            if payload["quantity"] <= 0:
                del cart[product]
        elif kind == "cart/removeItem":
            del cart[product]
        elif kind == "cart/clear":
            cart.clear()
    return sorted(favorites), cart if is_certain else None
