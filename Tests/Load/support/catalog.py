"""What a customer can choose from."""
import json

from .http import Connection, request
from .service import ServiceError

PRODUCTS_MAX = 40


def stocked_products(port):
    """Products that an order of 99 does not exhaust, and the categories."""
    connection, products, after = Connection(port), [], None
    while len(products) < PRODUCTS_MAX:
        answer = connection.exchange(request("GET", "/catalog?limit=100" + (f"&after={after}" if after else "")))
        if answer.status != 200:
            raise ServiceError(f"GET /catalog gives {answer.status} {answer.body[:200]!r}")
        page = json.loads(answer.body)
        products += [product["productID"] for product in page["products"] if product["stock"] >= 99]
        after = page.get("next")
        if not after:
            break
    connection.close()
    # A category is its name, or an object that has one.
    categories = [entry if isinstance(entry, str) else entry["name"] for entry in page["categories"]]
    return products[:PRODUCTS_MAX], categories
