"""Command line: serve one service, or one for each fault and variant, or list them."""

import argparse
import json
import sys
import threading

import faults
import variants
from service import BranchService
from transport import start
from world import all_accounts


def catalogue():
    classes = {"correct": BranchService}
    for planted in faults.ALL + variants.ALL:
        if planted.name in classes:
            raise SystemExit(f"two of one name: {planted.name}")
        classes[planted.name] = planted.service
    return classes


def listed(collection, why):
    return [{"name": one.name, "does": one.does, why: one.why, "disputable": one.disputable}
            for one in collection]


def serve(name, service, port=0):
    accounts = [{"workspaceId": account.workspace_id, "account": account.pair}
                for account in all_accounts()]
    line = {"name": name, "baseUrl": start(service(), port), "accounts": accounts}
    print(json.dumps(line), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print all faults and variants as JSON")
    parser.add_argument("--every", action="store_true", help="serve the correct one, each fault, each variant")
    parser.add_argument("--only", help="with --every: only these names, with commas between")
    parser.add_argument("--fault", "--variant", dest="name", default="correct", help="serve this one")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    classes = catalogue()
    if options.list:
        print(json.dumps({"faults": listed(faults.ALL, "breaks"),
                          "variants": listed(variants.ALL, "lawful_because")}, indent=1))
        return
    names = [options.name]
    if options.every:
        names = options.only.split(",") if options.only else list(classes)
    unknown = [name for name in names if name not in classes]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}")
    for name in names:
        serve(name, classes[name], 0 if options.every else options.port)
    threading.Event().wait()


if __name__ == "__main__":
    main()
