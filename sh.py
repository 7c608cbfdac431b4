import shelve
with shelve.open("db") as s:
    for i in range(3): s[str(i)] = "v"*i
print("saved")
